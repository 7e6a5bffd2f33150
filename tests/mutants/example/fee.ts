/** The fee of a payment in whole cents: one percent, at least 10 cents; the example that the tool itself is tested with. */
export function feeCents(paymentCents: number): number {
  const fee = Math.floor(paymentCents / 100);
  if (fee < 10) return 10;
  return fee;
}
