-- A revision of each operation, so that what was built from one is kept when another changes: the number of the whole revision at its last change.
CREATE TABLE issuances.operation_revisions (
  operation_id uuid PRIMARY KEY,
  value bigint NOT NULL
);
-- How many of the changes named their operations: any other concerns all of them.
ALTER TABLE issuances.revision ADD COLUMN named bigint NOT NULL DEFAULT 0 CHECK (named >= 0);
