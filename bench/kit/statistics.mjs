/** Returns the median; for an even number of values the mean of the middle two. */
export function median(values) {
  if (values.length === 0) throw new Error('There is no median of nothing');
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Returns the smallest value that at least this share (0 to 1) of the values does not exceed. */
export function quantile(values, share) {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}
