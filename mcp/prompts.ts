import { ErrorCode, type GetPromptResult, type Prompt as ListedPrompt } from '@modelcontextprotocol/sdk/types.js';
import { cut } from '../shared/echo.js';
import { ProtocolError } from './protocol-error.js';

/** A task of an analyst, which a person chooses in the agent's host. */
interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** The task, with the names of arguments in braces. */
  readonly text: string;
}

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  /** The value of an argument that is left out; one without it is required. */
  readonly otherwise?: string;
  /** The argument of a tool whose values complete it. */
  readonly completedBy?: { readonly tool: string; readonly argument: string };
}

/** Maximum length of an argument in characters. */
const maxLength = 200;

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
    arguments: [{ name: 'tickers', description: 'Tickers of the operations, separated by commas' }],
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
    description: 'What falls due until a day, in total and for each operation and tokenized series.',
    arguments: [
      {
        name: 'ate',
        description: 'Last day as YYYY-MM-DD; 30 days from today when it is left out',
        otherwise: '30 days from today',
      },
    ],
    text: `Make a calendar of the payments that fall due from today to {ate} (listar_proximos_pagamentos): the totals of operations and of tokenized series, the total of each operation, and each payment by day. Mark projected values. ${closing}`,
  },
  {
    name: 'revisar_inadimplencia',
    title: 'Review delinquency',
    description: 'Delinquency of the credits by estate, type and status, and its concentration.',
    arguments: [],
    text: `Review the delinquency of the credits: resumo_ativos with agruparPor PATRIMONY and STATUS, then with TYPE and STATUS. Rank the estates by the share of defaulted credits in their balance. For the worst estate that belongs to an operation read aging and the largest debtors (obter_relatorio_mensal). ${closing}`,
  },
];

/** The prompts as the protocol lists them. */
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

/** Returns the argument of a tool whose values complete an argument of a prompt; undefined without one. */
export function completedBy(prompt: string, argument: string): PromptArgument['completedBy'] {
  return prompts.find(({ name }) => name === prompt)?.arguments.find(({ name }) => name === argument)?.completedBy;
}

/**
 * Returns a prompt as the message that the host sends to its model.
 * @throws {ProtocolError} for an unknown prompt, and for an argument that is missing or too long
 */
export function promptFor(name: string, given: Readonly<Record<string, string>>): GetPromptResult {
  const prompt = prompts.find((one) => one.name === name);
  if (prompt === undefined) {
    const known = prompts.map((one) => one.name).join(', ');
    throw new ProtocolError(ErrorCode.InvalidParams, `There is no prompt ${cut(name)}: there are ${known}`);
  }
  const values = new Map(prompt.arguments.map((argument) => [argument.name, valueOf(prompt, argument, given)]));
  const text = prompt.text.replace(/\{(\w+)\}/g, (_whole, key: string) => values.get(key) ?? '');
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

function valueOf(prompt: Prompt, { name, otherwise }: PromptArgument, given: Readonly<Record<string, string>>): string {
  const value = Object.hasOwn(given, name) ? given[name]?.trim() : undefined;
  if (value === undefined || value === '') {
    if (otherwise !== undefined) return otherwise;
    throw new ProtocolError(ErrorCode.InvalidParams, `${prompt.name} needs the argument ${name}`);
  }
  if (value.length <= maxLength) return value;
  throw new ProtocolError(ErrorCode.InvalidParams, `${name} must have at most ${maxLength} characters`);
}
