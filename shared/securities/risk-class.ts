import type { Label } from '../graphql/labels.js';

/** In the order in which series are paid; UNIQUE is the only series of its operation or estate. */
export const riskClasses = ['SENIOR', 'MEZZANINE', 'JUNIOR', 'UNIQUE'] as const;
export type RiskClass = (typeof riskClasses)[number];

export const riskClassLabels: Readonly<Record<RiskClass, Label>> = {
  SENIOR: ['Sênior', 'Senior'],
  MEZZANINE: ['Mezanino', 'Mezzanine'],
  JUNIOR: ['Subordinada', 'Junior'],
  UNIQUE: ['Única', 'Single'],
};
