import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { AssetStatus, AssetType } from './asset.js';

export const AssetStatusEnum = describeEnum<AssetStatus>('AssetStatus', 'Where an asset stands.', {
  ACTIVE: 'Up to date',
  SETTLED: 'All instalments are paid',
  DEFAULTED: 'More than 90 days late',
  WRITTEN_OFF: 'Written off as unrecoverable',
});

export const AssetTypeEnum = describeEnum<AssetType>('AssetType', 'What kind of credit right an asset is.', {
  CCB: 'Bank credit note (cédula de crédito bancário)',
  CRI: 'Real-estate receivables certificate',
  CRA: 'Agribusiness receivables certificate',
  DEBENTURE: 'Debenture',
  PRECATORIO: 'Court-ordered debt of a government (precatório)',
});
