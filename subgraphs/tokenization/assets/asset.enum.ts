import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { AssetStatus, AssetType } from './asset.js';

export const AssetStatusEnum = describeEnum<AssetStatus>('AssetStatus', 'Status of an asset.', {
  ACTIVE: 'Not more than 90 days late',
  SETTLED: 'All instalments are paid',
  DEFAULTED: 'More than 90 days late',
  WRITTEN_OFF: 'Written off as unrecoverable',
});

export const AssetTypeEnum = describeEnum<AssetType>('AssetType', 'Kind of credit right of an asset.', {
  CCB: 'Bank credit note (cédula de crédito bancário)',
  CRI: 'Real-estate receivables certificate',
  CRA: 'Agribusiness receivables certificate',
  DEBENTURE: 'Debenture',
  PRECATORIO: 'Court-ordered debt of a government (precatório)',
});
