-- The price of a quote, with the decimals of its market: `quote_amount` is price × amount, rounded against the client.
ALTER TABLE trading.quotes ADD COLUMN price numeric CONSTRAINT quotes_price CHECK (price > 0);
