import { indexerName, type Indexer } from '../kernel/format/format.js';
import { describeEnum } from '../graphql/describe-enum.js';

export const IndexerEnum = describeEnum<Indexer>(
  'Indexer',
  'Index to which a remuneration is linked.',
  {
    PREFIXED: 'None: a fixed rate',
    CDI: 'Interbank deposit rate (CDI, DI)',
    IPCA: 'Consumer price index of IBGE',
    IGPM: 'General market price index of FGV',
    TR: 'Reference rate',
    SELIC: 'Base rate of the central bank',
    USD: 'Dollar',
  },
  {
    PREFIXED: [indexerName('PREFIXED'), 'Fixed rate'],
    CDI: [indexerName('CDI'), 'CDI'],
    IPCA: [indexerName('IPCA'), 'IPCA'],
    IGPM: [indexerName('IGPM'), 'IGP-M'],
    TR: [indexerName('TR'), 'TR'],
    SELIC: [indexerName('SELIC'), 'Selic'],
    USD: [indexerName('USD'), 'US dollar'],
  },
);
