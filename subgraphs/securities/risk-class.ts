import { describeEnum } from '../../shared/graphql/describe-enum.js';
import type { Label } from '../../shared/graphql/labels.js';

/** In the order in which series are paid; UNIQUE is the only series of its operation or estate. */
export const riskClasses = ['SENIOR', 'MEZZANINE', 'JUNIOR', 'UNIQUE'] as const;
export type RiskClass = (typeof riskClasses)[number];

export const riskClassLabels: Readonly<Record<RiskClass, Label>> = {
  SENIOR: ['Sênior', 'Senior'],
  MEZZANINE: ['Mezanino', 'Mezzanine'],
  JUNIOR: ['Subordinada', 'Junior'],
  UNIQUE: ['Única', 'Single'],
};

export const RiskClassEnum = describeEnum<RiskClass>(
  'RiskClass',
  'Risk class of a series, which is the order in which the series of an operation or of an estate are paid and bear losses.',
  {
    SENIOR: 'Paid first, bears losses last',
    MEZZANINE: 'Between senior and junior',
    JUNIOR: 'Bears losses first',
    UNIQUE: 'There is one class only',
  },
  riskClassLabels,
);
