-- Whether people of the linked account may send files and submit or cancel batches for the client, which otherwise only signed requests do.
ALTER TABLE credit_assignment.originators
  ADD COLUMN account_may_send boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT originators_account_that_sends CHECK (account_id IS NOT NULL OR NOT account_may_send);
