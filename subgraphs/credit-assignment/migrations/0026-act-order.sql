-- The records that an import changed, by pages: see `shared.order_by_act`.
SELECT shared.order_by_act('credit_assignment.eligibility_criteria', '{patrimony_id}');
