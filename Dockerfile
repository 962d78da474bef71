# One small image for every process: docker-compose.yml says which command each one runs.
FROM python:3.11-slim AS built
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /app
RUN python -m venv /venv
COPY requirements.lock ./
RUN /venv/bin/pip install --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY events ./events
COPY services ./services
COPY workers ./workers
COPY ops ./ops
COPY seeds ./seeds
# As on everybody's machine: the code runs from where it lies, seeds beside it.
RUN /venv/bin/pip install --no-deps --no-build-isolation --editable .

FROM python:3.11-slim
RUN useradd --system --uid 10001 --home-dir /data plybook && install -d -o plybook /data
COPY --from=built /venv /venv
COPY --from=built /app /app
ENV PATH=/venv/bin:$PATH PYTHONPATH=/app PYTHONDONTWRITEBYTECODE=1 PLYBOOK_DATA=/data PLYBOOK_LOG=json
USER plybook
WORKDIR /data
# New volumes begin with these kernels; on another processor they are compiled at the start.
RUN plybook warm
VOLUME /data
ENTRYPOINT ["plybook"]
CMD ["serve"]
