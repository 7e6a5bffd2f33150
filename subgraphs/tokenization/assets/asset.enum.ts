import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { AssetStatus, AssetType } from './asset.js';

export const AssetStatusEnum = describeEnum<AssetStatus>(
  'AssetStatus',
  'Status of an asset.',
  {
    ACTIVE: 'Not more than 90 days late',
    SETTLED: 'All instalments are paid',
    DEFAULTED: 'More than 90 days late',
    WRITTEN_OFF: 'Written off as unrecoverable',
  },
  {
    ACTIVE: ['Ativo', 'Active'],
    SETTLED: ['Liquidado', 'Settled'],
    DEFAULTED: ['Inadimplente', 'Defaulted'],
    WRITTEN_OFF: ['Baixado', 'Written off'],
  },
);

export const AssetTypeEnum = describeEnum<AssetType>(
  'AssetType',
  'Kind of credit right of an asset.',
  {
    CCB: 'Bank credit note (cédula de crédito bancário)',
    CRI: 'Real-estate receivables certificate',
    CRA: 'Agribusiness receivables certificate',
    DEBENTURE: 'Debenture',
    PRECATORIO: 'Court-ordered debt of a government (precatório)',
  },
  {
    CCB: ['Cédula de crédito bancário', 'Bank credit note'],
    CRI: ['Certificado de recebíveis imobiliários', 'Real-estate receivables certificate'],
    CRA: ['Certificado de recebíveis do agronegócio', 'Agribusiness receivables certificate'],
    DEBENTURE: ['Debênture', 'Debenture'],
    PRECATORIO: ['Precatório', 'Court-ordered government debt'],
  },
);
