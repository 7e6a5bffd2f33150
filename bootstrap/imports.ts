import type { ImportDomain } from '../shared/import/domain.js';
import { creditAssignmentImport } from '../subgraphs/credit-assignment/import/domain.js';
import { issuancesImport } from '../subgraphs/issuances/import/domain.js';
import { tokenizationImport } from '../subgraphs/tokenization/import/domain.js';

export const importDomains: readonly ImportDomain[] = [issuancesImport, tokenizationImport, creditAssignmentImport];
