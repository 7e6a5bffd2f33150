import { defineTexts } from '../frame/language.js';
import { addImportRules } from './import-rules.js';
import type { Messages } from './messages/pt-BR.js';

export const operatorTexts = defineTexts<Messages>({
  'pt-BR': async () => withRules((await import('./messages/pt-BR.js')).portuguese),
  en: async () => withRules((await import('./messages/en.js')).english),
});

function withRules(messages: Messages): Messages {
  addImportRules(messages);
  return messages;
}
