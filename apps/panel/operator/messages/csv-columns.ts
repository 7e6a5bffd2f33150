/** The columns of CSV files, by kind of records. */
export const csvHeads = {
  unitPrices: 'trancheTicker;date;value',
  trusteeUnitPrices: 'trancheTicker;date;value;trustee',
  payments:
    'operationTicker;trancheTicker;installmentNumber;event;dueDate;paidDate;interestValue;principalValue;totalValue;openValue;units',
  contracts:
    'operationTicker;externalId;debtorName;debtorDocument;type;status;originalValue;outstandingBalance;indexer;rate;issueDate;maturityDate;installments;paidInstallments;daysLate;overdueValue;uf;collateralValue;positionDate;writtenOffDate',
  contractPositions:
    'operationTicker;contractExternalId;month;openingBalance;scheduledPrincipal;prepaidPrincipal;closingBalance;daysLate;overdueValue',
  completeMonths: 'operationTicker;month;positions',
  indexValues: 'index;date;value;publishedOn',
  projectedIndexValues: 'index;month;percent;publishedOn;source',
  assets:
    'patrimonyTicker;externalId;type;status;debtorName;debtorDocument;originalValue;currentBalance;interestRate;installments;paidInstallments;received;nextDueDate;finalDueDate;batchName',
  installments: 'patrimonyTicker;assetExternalId;installmentNumber;dueDate;amount;paidAmount;paidOn',
};

/** What the page calls each column in Portuguese, then what other programs call it. */
export const columnWords: Readonly<Record<string, string>> = Object.fromEntries(
  `amount: Valor; assetExternalId: Ativo, contrato, código do ativo; batchName: Lote; closingBalance: Saldo final;
   collateralValue: Valor da garantia; contractExternalId: Contrato, número do contrato, código do contrato;
   currentBalance: Saldo, saldo atual; date: Data, dia, data de referência, data ref; daysLate: Dias de atraso;
   debtorDocument: CPF ou CNPJ do devedor, CPF, CNPJ, CPF/CNPJ, documento; debtorName: Devedor, nome, nome do devedor;
   dueDate: Vencimento, data de vencimento; event: Evento; externalId: Código, contrato, ativo, número do contrato;
   finalDueDate: Vencimento final; index: Índice, indexador; indexer: Indexador, índice;
   installmentNumber: Nº da parcela, parcela, número da parcela; installments: Parcelas, prazo;
   interestRate: Taxa, juros; interestValue: Juros; issueDate: Emissão, data de emissão;
   maturityDate: Vencimento, data de vencimento; month: Mês, competência; nextDueDate: Próximo vencimento;
   openValue: Em aberto; openingBalance: Saldo inicial; operationTicker: Operação, emissão, código da operação;
   originalValue: Valor original, valor; outstandingBalance: Saldo devedor, saldo; overdueValue: Valor em atraso;
   paidAmount: Valor pago; paidDate: Pagamento, data do pagamento, data de pagamento; paidInstallments: Parcelas pagas;
   paidOn: Pagamento, data do pagamento, data de pagamento; patrimonyTicker: Patrimônio;
   percent: Variação (%), projeção; positionDate: Data da posição, posição, data-base; positions: Posições;
   prepaidPrincipal: Amortização antecipada, pré-pagamento; principalValue: Amortização, principal;
   publishedOn: Divulgação, data de divulgação; rate: Taxa, juros; received: Recebido;
   scheduledPrincipal: Amortização programada; source: Fonte; status: Situação; totalValue: Total, valor, valor total;
   trancheTicker: Série, papel, ativo, código, ticker; trustee: Agente fiduciário; type: Tipo; uf: UF;
   units: Quantidade; value: Valor, PU, preço, preço unitário, taxa; writtenOffDate: Data da baixa`
    .split(/;\s+/)
    .map((column) => column.split(': ') as [string, string]),
);
