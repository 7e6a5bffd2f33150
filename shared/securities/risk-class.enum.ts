import { describeEnum } from '../graphql/describe-enum.js';
import { riskClassLabels, type RiskClass } from './risk-class.js';

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
