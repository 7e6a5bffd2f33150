export interface PricePoint {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** In reais, with 8 decimals. */
  readonly value: string;
  /** Whether the engine made it with a projected index number. */
  readonly projected: boolean;
}
