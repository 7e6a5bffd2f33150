/**
 * Returns the rule of `paymentStatus` as SQL over `payment`, as a test compares: the status, and the condition that it is OVERDUE, for which
 * an index by the due date can be used.
 * @param today the placeholder of the day as of which statuses are
 * @param overdueUntil the placeholder of the last due date of which an unpaid payment is overdue
 */
export function paymentStatusSql(today: string, overdueUntil: string) {
  const [paid, late] = [`payment.paid_date <= ${today}`, `payment.due_date <= ${overdueUntil}`];
  return {
    status: `CASE WHEN ${paid} THEN 'PAID' WHEN ${late} THEN 'OVERDUE' ELSE 'PENDING' END`,
    isOverdue: `((${paid}) IS NOT TRUE AND ${late})`,
  };
}
