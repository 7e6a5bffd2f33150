import { describeEnum } from '../../shared/graphql/describe-enum.js';

export const assetTypes = ['CCB', 'CRI', 'CRA', 'DEBENTURE', 'PRECATORIO'] as const;
export type AssetType = (typeof assetTypes)[number];

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
