import { inWords } from '../../../design/formats.js';
import { wordsPortuguese } from './words.pt-BR.js';

export const wordsEnglish: typeof wordsPortuguese = {
  ...inWords(wordsPortuguese),
  acts: 'Actions',
  defaultLimit: 'default of the server',
  desk: 'Trading desk',
  emptyForNone: 'Empty for no limit.',
  lastUsed: 'Last use',
  noKeys: 'No keys.',
  noLimit: 'no limit',
  ownWallet: "The company's own",
  permits: 'Permitted estates',
  quarantined: 'In quarantine',
  sending: 'Sending by the account',
};
