-- A unit on which nothing more will be paid is worth nothing. Series that were repaid, or CLOSED, before that was shown.
UPDATE tokenization.tranches t SET unit_price = 0, nominal_value = 0, interest = 0,
  priced_on = greatest(t.priced_on, coalesce((SELECT max(e.paid_on) FROM tokenization.schedule_entries e
    WHERE e.tranche_id = t.id HAVING bool_and(e.status = 'PAID')), t.updated_at::date))
WHERE t.status = 'CLOSED' OR coalesce((
  SELECT bool_and(e.status = 'PAID')
    AND CASE t.amortization_of WHEN 'BALANCE' THEN max(e.amortization_percentage) ELSE sum(e.amortization_percentage) END = 100
  FROM tokenization.schedule_entries e WHERE e.tranche_id = t.id), false);
