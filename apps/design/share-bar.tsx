/** A percentage as the length of a bar; the number stands beside it. */
export function ShareBar({ percent, tone = 'plain' }: { readonly percent: string; readonly tone?: 'plain' | 'warn' }) {
  const length = Math.max(0, Math.min(100, Number(percent)));
  return (
    <svg className={`bar ${tone}`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect width={length} height="10" />
    </svg>
  );
}
