-- What an estate takes in keeps its versions: see `shared.keep_versions`.
SELECT shared.keep_versions('credit_assignment.eligibility_criteria', '{patrimony_id}');
