-- Run once by the database's container, when its volume is new: the user that every serving
-- process logs in as. It does not own the tables, so the roles of events/roles.py hold for it:
-- it can add events and neither change nor delete them. `plybook migrate` uses the owner.
\getenv password SERVING_PASSWORD
CREATE ROLE plybook_app NOLOGIN;
CREATE ROLE plybook_secrets NOLOGIN;
CREATE USER serving PASSWORD :'password' IN ROLE plybook_app, plybook_secrets;
