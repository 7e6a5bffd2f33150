-- No published price supports LAST_AMORTIZATION: the series that it was made for (CAET12) amortized while its factor ran on. A series that has it
-- gets the base that gives the same digits where there is one: LAST_EVENT where no event pays interest alone, START where no event but one
-- that ends it changes the principal. The others get START, which differs from it in nothing but where values are truncated;
-- their policy is a new version, so that prices are made anew as further versions. What was published stays in `unit_prices`.
ALTER TABLE tokenization.tranches DROP CONSTRAINT tranches_index_base_check;
UPDATE tokenization.tranches t
SET index_base = CASE WHEN m.interest_alone = 0 THEN 'LAST_EVENT' ELSE 'START' END,
  policy_version = t.policy_version + CASE WHEN m.interest_alone = 0 OR m.going_on = 0 THEN 0 ELSE 1 END
FROM (
  SELECT s.id, count(*) FILTER (WHERE e.interest_event = 'PAID' AND e.amortization_percentage = 0) AS interest_alone,
    count(*) FILTER (WHERE e.interest_event = 'INCORPORATED'
      OR e.amortization_percentage > 0 AND e.amortization_percentage < 100) AS going_on
  FROM tokenization.tranches s LEFT JOIN tokenization.schedule_entries e ON e.tranche_id = s.id
  WHERE s.index_base = 'LAST_AMORTIZATION' GROUP BY s.id
) AS m
WHERE t.id = m.id;
ALTER TABLE tokenization.tranches ADD CONSTRAINT tranches_index_base_check
  CHECK (index_base IN ('START', 'YEARLY', 'ANNIVERSARY', 'LAST_EVENT'));
