-- Interest that is incorporated makes the updated value the nominal value whatever the base of the index factor (CAET12's published rows), and belongs to the
-- issue value of which percentages are amortized. Series to which this applies get a new version of their policy, so that their prices are made anew
-- as further versions; what was published stays in `unit_prices`.
UPDATE tokenization.tranches t SET policy_version = policy_version + 1
WHERE (t.index_base IN ('START', 'YEARLY', 'ANNIVERSARY') OR t.amortization_of = 'ISSUE_VALUE')
  AND EXISTS (SELECT FROM tokenization.schedule_entries e WHERE e.tranche_id = t.id AND e.interest_event = 'INCORPORATED');
