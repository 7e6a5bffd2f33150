-- The list of payments of all operations, by due date (payments/operation-payment.store.ts).
CREATE INDEX payments_by_due_date ON issuances.payments (due_date, id);
