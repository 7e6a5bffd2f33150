import { defineTexts } from './language.js';
import type { Messages } from './messages/pt-BR.js';

export const frameTexts = defineTexts<Messages>({
  'pt-BR': async () => (await import('./messages/pt-BR.js')).portuguese,
  en: async () => (await import('./messages/en.js')).english,
});
