import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { OperationType } from './operation.js';

export const OperationTypeEnum = describeEnum<OperationType>(
  'OperationType',
  'Type of the securities that an operation issues.',
  {
    CR: 'Receivables certificates (certificados de recebíveis)',
    CRI: 'Real-estate receivables certificates',
    CRA: 'Agribusiness receivables certificates',
    DEB: 'Debentures',
  },
  {
    CR: ['Certificados de recebíveis', 'Receivables certificates'],
    CRI: ['Certificados de recebíveis imobiliários', 'Real-estate receivables certificates'],
    CRA: ['Certificados de recebíveis do agronegócio', 'Agribusiness receivables certificates'],
    DEB: ['Debêntures', 'Debentures'],
  },
);
