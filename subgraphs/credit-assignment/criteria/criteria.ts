/** What an estate takes in. What is null is not asked. */
export interface EligibilityCriteria {
  /** In BRL. */
  readonly minFaceValue: string | null;
  readonly maxFaceValue: string | null;
  /** Days from the day of processing to the due date. */
  readonly maxTermDays: number | null;
  /** Percent of the face value of a batch. */
  readonly maxDebtorShare: string | null;
}
