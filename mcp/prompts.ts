import { ErrorCode, type GetPromptResult, type Prompt as ListedPrompt } from '@modelcontextprotocol/sdk/types.js';
import { cut } from '../shared/kernel/echo.js';
import { isCivilDate } from '../shared/graphql/scalars.js';
import { ProtocolError } from './protocol-error.js';

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  readonly text: string;
}

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  /** The value of an argument that is left out; one without it is required. */
  readonly otherwise?: string;
  /** Required form of the text; any text if absent. */
  readonly form?: 'day' | 'tickers';
  /** The argument of a tool whose values complete it, or each of its parts where it is a list. */
  readonly completedBy?: { readonly tool: string; readonly argument: string };
}

/** Maximum length of an argument in characters. */
const maxLength = 200;
const maxTickers = 10;

const closing =
  'Quote figures with their day and unit as the tools return them, say which data are missing or outdated, and do not estimate.';

const operationArgument: PromptArgument = {
  name: 'ticker',
  description: 'Ticker of the operation',
  completedBy: { tool: 'obter_operacao', argument: 'ticker' },
};

const prompts: readonly Prompt[] = [
  {
    name: 'analisar_operacao',
    title: 'Analyse an operation',
    description: 'Credit analysis of one operation: terms, portfolio, covenants, payments, events.',
    arguments: [operationArgument],
    text: `Write a credit analysis of the operation {ticker}: terms and remuneration of its series (obter_operacao), quality and concentration of its credits, subordination and covenants (obter_relatorio_mensal), overdue obligations and payments (listar_alertas), and the payments of the next 90 days (listar_proximos_pagamentos). Begin with a conclusion in five lines. ${closing}`,
  },
  {
    name: 'comparar_emissoes',
    title: 'Compare operations',
    description: 'Comparison of up to ten operations as a table, with a conclusion.',
    arguments: [
      {
        ...operationArgument,
        name: 'tickers',
        description: 'Tickers of 1 to 10 operations, separated by commas',
        form: 'tickers',
      },
    ],
    text: `Compare the operations {tickers} with comparar_operacoes: a table of remuneration, maturity, volume, subordination, coverage, LTV, overdue share, largest debtors and breached covenants, and below it the differences that matter to an investor. ${closing}`,
  },
  {
    name: 'revisar_alertas',
    title: 'Review the alerts',
    description: 'What is overdue or breached in all operations, by severity.',
    arguments: [],
    text: `List what is overdue or breached now (listar_alertas): covenants with the excess over the limit first, then payments by amount, then obligations by days late. For each operation with a breached covenant read obter_relatorio_mensal and name the cause that the figures show. ${closing}`,
  },
  {
    name: 'agenda_de_pagamentos',
    title: 'Payment calendar',
    description: 'What falls due in a period, in total and for each operation and tokenized series.',
    arguments: [
      {
        name: 'de',
        description: 'First day as YYYY-MM-DD; today when it is left out',
        otherwise: 'today',
        form: 'day',
      },
      {
        name: 'ate',
        description: 'Last day as YYYY-MM-DD; 30 days after the first one when it is left out',
        otherwise: '30 days later',
        form: 'day',
      },
    ],
    text: `Make a calendar of the payments that fall due from {de} to {ate} (listar_proximos_pagamentos): the totals of operations and of tokenized series, the total of each operation, and each payment by day. Mark projected values. ${closing}`,
  },
  {
    name: 'revisar_inadimplencia',
    title: 'Review delinquency',
    description: 'Delinquency of the credits by estate, type and status, and its concentration.',
    arguments: [],
    text: `Review the delinquency of the credits: resumo_ativos with agruparPor PATRIMONY and STATUS, then with TYPE and STATUS. Rank the estates by the share of defaulted credits in their balance. For the worst estate that belongs to an operation read aging and the largest debtors (obter_relatorio_mensal). ${closing}`,
  },
];

export const listedPrompts: ListedPrompt[] = prompts.map(({ name, title, description, arguments: taken }) => ({
  name,
  title,
  description,
  arguments: taken.map((one) => ({
    name: one.name,
    description: one.description,
    required: one.otherwise === undefined,
  })),
}));

/** Returns the argument of a tool whose values complete an argument of a prompt, and whether that is a list; undefined without one. */
export function completedBy(prompt: string, argument: string) {
  const found = prompts.find(({ name }) => name === prompt)?.arguments.find(({ name }) => name === argument);
  return found?.completedBy && { ...found.completedBy, isList: found.form === 'tickers' };
}

/** @param today the civil day, on which a period begins by default @throws {ProtocolError} for an unknown prompt, and with all errors of its arguments */
export function promptFor(name: string, given: Readonly<Record<string, string>>, today: string): GetPromptResult {
  const prompt = prompts.find((one) => one.name === name);
  if (prompt === undefined) {
    const known = prompts.map((one) => one.name).join(', ');
    throw new ProtocolError(ErrorCode.InvalidParams, `There is no prompt ${cut(name)}: there are ${known}`);
  }
  const values = new Map(
    prompt.arguments.map(({ name, otherwise }) => [name, sentFor(name, given) ?? otherwise] as const),
  );
  const errors = errorsOf(prompt, given, today);
  if (errors.length > 0) throw new ProtocolError(ErrorCode.InvalidParams, errors.join('; '));
  const text = prompt.text.replace(/\{(\w+)\}/g, (_whole, key: string) => values.get(key) ?? '');
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

/** Returns the value that was sent for an argument; undefined for none, and for an empty one. */
function sentFor(name: string, given: Readonly<Record<string, string>>): string | undefined {
  const value = Object.hasOwn(given, name) ? given[name]?.trim() : undefined;
  return value === '' ? undefined : value;
}

function errorsOf(prompt: Prompt, given: Readonly<Record<string, string>>, today: string): string[] {
  const sent = prompt.arguments.map((argument) => ({ argument, value: sentFor(argument.name, given) }));
  const errors = sent.flatMap(({ argument, value }) => {
    if (value !== undefined) return formErrors(argument, value);
    return argument.otherwise === undefined ? [`${prompt.name} needs the argument ${argument.name}`] : [];
  });
  const dayOf = (name: string) =>
    sent.find(({ argument, value }) => argument.name === name && value !== undefined && isCivilDate(value))?.value;
  const [de, ate] = [dayOf('de'), dayOf('ate')];
  if (ate === undefined || ate >= (de ?? today)) return errors;
  return [...errors, `ate must not be before ${de === undefined ? `today, ${today}` : `de, ${de}`}`];
}

function formErrors({ name, form }: PromptArgument, value: string): string[] {
  if (value.length > maxLength) return [`${name} must have at most ${maxLength} characters`];
  if (form === 'day' && !isCivilDate(value)) return [`${name} must be a day as YYYY-MM-DD`];
  const items = form === 'tickers' ? value.split(',').filter((item) => item.trim() !== '') : [value];
  return items.length >= 1 && items.length <= maxTickers
    ? []
    : [`${name} must be 1 to ${maxTickers} tickers, separated by commas`];
}
