import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { OperationType } from './operation.js';

export const OperationTypeEnum = describeEnum<OperationType>(
  'OperationType',
  'What kind of security an operation issues.',
  {
    CR: 'Credit notes (certificados de recebíveis)',
    CRI: 'Real-estate receivables certificates',
    CRA: 'Agribusiness receivables certificates',
    DEB: 'Debentures',
  },
);
