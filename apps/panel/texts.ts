import { defineTexts } from './frame/language.js';
import type { Messages as Home } from './home/messages/pt-BR.js';
import type { Messages as Account } from './account/messages/pt-BR.js';
import type { Messages as Developer } from './developer/messages/pt-BR.js';
import type { Messages as Operator } from './operator/messages/pt-BR.js';
import type { Messages as Originator } from './originator/messages/pt-BR.js';
import type { Messages as Trading } from './trading/messages/pt-BR.js';

export const homeTexts = defineTexts<Home>({
  'pt-BR': async () => (await import('./home/messages/pt-BR.js')).portuguese,
  en: async () => (await import('./home/messages/en.js')).english,
});

export const accountTexts = defineTexts<Account>({
  'pt-BR': async () => (await import('./account/messages/pt-BR.js')).portuguese,
  en: async () => (await import('./account/messages/en.js')).english,
});

export const developerTexts = defineTexts<Developer>({
  'pt-BR': async () => (await import('./developer/messages/pt-BR.js')).portuguese,
  en: async () => (await import('./developer/messages/en.js')).english,
});

export const operatorTexts = defineTexts<Operator>({
  'pt-BR': async () => {
    (await import('./operator/import-rules.js')).addImportRules();
    return (await import('./operator/messages/pt-BR.js')).portuguese;
  },
  en: async () => (await import('./operator/messages/en.js')).english,
});

export const originatorTexts = defineTexts<Originator>({
  'pt-BR': async () => (await import('./originator/messages/pt-BR.js')).portuguese,
  en: async () => (await import('./originator/messages/en.js')).english,
});

export const tradingTexts = defineTexts<Trading>({
  'pt-BR': async () => (await import('./trading/messages/pt-BR.js')).portuguese,
  en: async () => (await import('./trading/messages/en.js')).english,
});
