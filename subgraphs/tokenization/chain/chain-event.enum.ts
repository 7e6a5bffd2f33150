import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { MovementType } from './movement.js';

export const ChainEventTypeEnum = describeEnum<MovementType>(
  'ChainEventType',
  'Kind of a movement of tokens.',
  {
    MINT: 'The tokens were created',
    TRANSFER: 'The tokens changed hands',
    BURN: 'The tokens were destroyed',
  },
  { MINT: ['Emissão', 'Mint'], TRANSFER: ['Transferência', 'Transfer'], BURN: ['Queima', 'Burn'] },
);
