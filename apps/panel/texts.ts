import { defineTexts, language } from './frame/language.js';

export const homeTexts = defineTexts(async () => (await import('./home/messages.js')).texts);

export const accountTexts = defineTexts(async () => (await import('./account/messages.js')).texts);

export const developerTexts = defineTexts(async () => (await import('./developer/messages.js')).texts);

export const operatorTexts = defineTexts(async () => {
  if (language.code === 'pt-BR') (await import('./operator/import-rules.js')).addImportRules();
  return (await import('./operator/messages.js')).texts;
});

export const originatorTexts = defineTexts(async () => (await import('./originator/messages.js')).texts);

export const tradingTexts = defineTexts(async () => (await import('./trading/messages.js')).texts);
