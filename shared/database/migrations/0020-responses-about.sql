-- The owner whom the response of a caller without a credential is about, such as that of a log-in: it is erased with the data of the owner.
ALTER TABLE shared.idempotent_answers ADD COLUMN about text;
