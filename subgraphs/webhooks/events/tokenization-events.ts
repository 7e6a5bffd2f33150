import { data, day, flag, money, oneOf, price, text, whole, type EventType } from './event-type.js';

const trancheStatus = (description: string) => oneOf(description, 'DRAFT', 'ACTIVE', 'FUNDRAISING', 'CLOSED');

const payment = (status: string) =>
  data({
    trancheTicker: text('Ticker of the series.'),
    installmentNumber: whole('Number of the instalment in the schedule, from 1.'),
    dueDate: day('When it is due.'),
    interestValue: money('Interest, in BRL.'),
    principalValue: money('Amortization, in BRL.'),
    totalValue: money('Interest and amortization, in BRL.'),
    status: oneOf('State of the instalment.', status),
  });

/** Events of series and their payments. */
export const tokenizationEvents: readonly EventType[] = [
  { name: 'payment.completed', meaning: 'An instalment was paid.', surface: 'tokenization', data: payment('PAID') },
  {
    name: 'payment.overdue',
    meaning:
      'An instalment is late. Its values are absent while the price that they come from lacks a published number.',
    surface: 'tokenization',
    data: { ...payment('OVERDUE'), required: ['trancheTicker', 'installmentNumber', 'dueDate', 'status'] },
  },
  {
    name: 'tranche.status_changed',
    meaning: 'The status of a series changed.',
    surface: 'tokenization',
    data: data({
      trancheTicker: text('Ticker of the series.'),
      patrimonyTicker: text('Ticker of its estate.'),
      previousStatus: trancheStatus('Before the change.'),
      status: trancheStatus('Since the change.'),
    }),
  },
  {
    name: 'tranche.unit_price_updated',
    meaning: 'The unit price of a series was calculated anew.',
    surface: 'tokenization',
    data: data({
      trancheTicker: text('Ticker of the series.'),
      patrimonyTicker: text('Ticker of its estate.'),
      date: day('The day that the price is of.'),
      unitPrice: price('With accrued interest (dirty PU), in BRL.'),
      nominalValue: price('Without accrued interest (clean PU), in BRL.'),
      interestJ: price('Accrued interest of a token, in BRL.'),
      correction: flag('Whether the price of that day had been another one: what it was made of was corrected.'),
    }),
  },
];
