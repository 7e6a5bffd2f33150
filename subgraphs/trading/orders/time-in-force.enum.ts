import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { OrderTimeInForce } from './order.js';

export const TimeInForceEnum = describeEnum<OrderTimeInForce>(
  'TimeInForce',
  'Time in force: how long an order stays open.',
  {
    GTC: 'Good till cancelled: open until it is filled or cancelled. Default for LIMIT orders.',
    IOC: 'Immediate or cancel: executed at once as far as possible; the rest is cancelled. Default for MARKET orders.',
    FOK: 'Fill or kill: filled completely at once, or not at all.',
    GTD: 'Good till date: open until `expiresAt`.',
  },
  {
    GTC: ['Até cancelar', 'Good till cancelled'],
    IOC: ['Executa ou cancela', 'Immediate or cancel'],
    FOK: ['Tudo ou nada', 'Fill or kill'],
    GTD: ['Até a data', 'Good till date'],
  },
);
