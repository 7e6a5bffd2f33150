import { register } from '../shared/registry.js';
import { accounts } from '../subgraphs/accounts/registry.js';
import { creditAssignment } from '../subgraphs/credit-assignment/registry.js';
import { issuances } from '../subgraphs/issuances/registry.js';
import { securities } from '../subgraphs/securities/registry.js';
import { tokenization } from '../subgraphs/tokenization/registry.js';
import { trading } from '../subgraphs/trading/registry.js';
import { webhooks } from '../subgraphs/webhooks/registry.js';

// Every role needs the codes of all domains: the gateway also carries the errors of subgraphs in other processes.
for (const domain of [accounts, issuances, tokenization, creditAssignment, trading, webhooks, securities])
  register(domain);
