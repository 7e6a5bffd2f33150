/**
 * Builds the SQL of the instalments `due` in force at a moment of a row `receivable`, and what is `unpaid` of each: whatever the balance fell by covers the
 * earliest due first.
 * @param open SQL of what is open of the receivable
 * @param moment SQL of the moment
 */
export function unpaidText(open: string, moment: string): string {
  return `SELECT due, least(amount, reached - total + ${open}) AS unpaid FROM (
    SELECT "dueDate" AS due, amount, sum(amount) OVER (ORDER BY "dueDate") AS reached, sum(amount) OVER () AS total
    FROM jsonb_to_recordset(coalesce(
      (SELECT newer.installments FROM credit_assignment.renegotiations AS newer
       WHERE newer.receivable_id = receivable.id AND newer.recorded_at < ${moment} AND (newer.reverted_at IS NULL OR newer.reverted_at >= ${moment})
       ORDER BY newer.recorded_at DESC, newer.id DESC LIMIT 1),
      receivable.installments, jsonb_build_array(jsonb_build_object('dueDate', receivable.due_date, 'principal', receivable.face_value, 'interest', 0))
    )) AS one ("dueDate" date, principal numeric, interest numeric) CROSS JOIN LATERAL (SELECT principal + interest AS amount) AS owed
  ) AS installment WHERE reached > total - ${open}`;
}
