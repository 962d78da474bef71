"""An audit's findings on the wire."""

from services.api.messages import AuditAnswer
from services.proofs.report import Report


def audit_answer(report: Report) -> AuditAnswer:
    """The report for whoever asked; differences as sentences."""
    return AuditAnswer(
        match=report.match,
        good=report.is_good,
        verdict=report.verdict,
        events=report.events,
        plies=report.plies,
        forced=report.forced,
        thoughts=report.thoughts,
        differences=tuple(str(difference) for difference in report.differences),
    )
