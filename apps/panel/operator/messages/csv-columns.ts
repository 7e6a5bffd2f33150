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

const wordsOf = (texts: string): Readonly<Record<string, string>> =>
  Object.fromEntries(texts.split(/;\s+/).map((column) => column.split(': ') as [string, string]));

/** Portuguese name of each column on the page, then its names in other programs. */
export const columnWords = wordsOf(
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
   units: Quantidade; value: Valor, PU, preço, preço unitário, taxa; writtenOffDate: Data da baixa`,
);

/** Portuguese names of the other fields of records. */
export const fieldWords = wordsOf(
  `accountNumber: Conta; accrueUntil: Juros até; address: Endereço; agenda: Pauta; amortization: Amortização;
   amortizationOf: Base da amortização; amortizationPercentage: Amortização (%); anniversaryDay: Dia de aniversário;
   auditor: Auditor; backingAsset: Lastro; balance: Saldo; balanceDate: Data do saldo; bank: Banco; blockNumber: Bloco;
   bookkeeper: Escriturador; branch: Agência; calculationDate: Data de cálculo; call: Convocação; chainId: Id da rede;
   chips: Destaques; class: Classe; className: Classe; comparison: Comparação; createdAt: Criação;
   dayCount: Contagem de dias; deliveredDate: Entrega; deployedAt: Implantação; description: Descrição;
   diLagBusinessDays: Defasagem do DI (dias úteis); diPercentage: Percentual do DI; emissionDate: Emissão;
   emissionNumber: Nº da emissão; everyMonths: Intervalo (meses); explorerUrl: Endereço no explorador;
   firstMonth: Primeiro mês; from: De; fromDays: A partir de (dias); functions: Funções; graceDays: Carência (dias);
   graceInterest: Juros na carência; highlights: Destaques; href: Endereço; ifCode: Código IF;
   indexAnniversaryDay: Dia de aniversário do índice; indexBase: Base do índice;
   indexerPercent: Percentual do indexador; indexLagMonths: Defasagem do índice (meses);
   indexProRata: Pro rata do índice; instalments: Parcelas; institution: Instituição; interestEvent: Evento de juros;
   interestGrace: Carência dos juros; interestPercentage: Juros (%); investedAmount: Valor aplicado; isin: ISIN;
   issuedTotal: Total emitido; issuer: Emissora; issuerCnpj: CNPJ da emissora; issueValue: Valor de emissão;
   kind: Tipo; label: Rótulo; lateFinePercent: Multa por atraso (%); lateInterestMode: Forma dos juros de mora;
   lateInterestPercent: Juros de mora (%); leadCoordinator: Coordenador líder; limitPercent: Limite (%);
   logIndex: Posição no bloco; logoUrl: Logotipo; maxDailyChangePercent: Variação diária máxima (%);
   maxDebtorShare: Concentração máxima por devedor; maxFaceValue: Valor de face máximo;
   maxTermDays: Prazo máximo (dias); metric: Métrica; minFaceValue: Valor de face mínimo; minimumBalance: Saldo mínimo;
   name: Nome; network: Rede; number: Número; occurredAt: Momento; offering: Oferta;
   percentageDecimals: Casas do percentual; periodicity: Periodicidade; priceRate: Taxa da tabela Price;
   principalGrace: Carência do principal; principalPercentage: Principal (%); projection: Projeção; public: Pública;
   purpose: Finalidade; quantity: Quantidade; quorumPercent: Quórum (%); raisedAmount: Valor captado; rating: Rating;
   referenceDate: Data de referência; remunerationLabel: Remuneração; remunerationStartDate: Início da remuneração;
   resolution: Deliberação; responsible: Responsável; segment: Segmento; seriesTicker: Série; slug: Endereço;
   standard: Padrão; sub: Subtítulo; subscribedQuotas: Quantidade subscrita; symbol: Símbolo; threshold: Limite;
   ticker: Código; title: Título; to: Para; tokenQuantity: Quantidade de tokens; totalSupply: Total de tokens;
   transactionHash: Hash da transação; unitValue: Valor unitário; url: Endereço;
   useOfProceeds: Destinação dos recursos; waivedDate: Data da dispensa`,
);
