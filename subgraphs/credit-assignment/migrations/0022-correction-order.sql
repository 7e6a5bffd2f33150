-- Corrections of criteria are listed by their moment, and within it by their estate.
CREATE INDEX ON credit_assignment.eligibility_criteria_versions (superseded_at, patrimony_id)
  WHERE superseded_by IS NOT NULL AND recorded_at < superseded_at;
