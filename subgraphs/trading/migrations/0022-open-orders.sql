-- Lists of open orders, and of those that ended in one way: neither walks through the history of a wallet.
CREATE INDEX orders_wallet_open ON trading.orders (wallet_id, id DESC) WHERE closed_at IS NULL;
CREATE INDEX orders_wallet_status ON trading.orders (wallet_id, status, id DESC);
