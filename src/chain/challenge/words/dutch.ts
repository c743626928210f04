import type { Words } from './words.ts';

/** Dutch. Compounds of these words count too. */
export const dutch: Words = {
  plain: `digitale aangegeven negeer* anders wens* bedoeling ontvang* betaling* bank* grens* vraag* contact* derde* opgeslagen enige rechtmatig* doeleinden verricht* uitgevoerd veroorzaakt
transactie* tegoed* token* saldo* munt* crypto* stort* uitvoer* contract* opdracht* nft* usdt usdc wijzig*
de het een der van in op aan bij met voor door naar uit over onder tot te om na tussen tegen en of maar als dat die dit deze wie wat waar wanneer hoe waarom omdat zodat dan ook alleen slechts nog al nu vandaag ik mij me mijn wij we ons onze u uw jij je jouw hij zij ze hun er hier daar hierbij hiermee zo is zijn ben bent was waren wordt worden werd heeft hebben heb kan kunnen mag moet moeten zal zullen wil willen graag alstublieft hallo welkom dank bedankt beste geachte gebruiker* klant* persoon* mens* bedrijf* natuurlijk* rechtspersoon account* rekening houder*
bericht* tekst* onderteken* handtekening* teken* wallet* portemonnee* adres* ethereum evm blockchain* keten* netwerk* mainnet testnet bewij* bevestig* verifieer* controleer* controle valid* verklaar* verklaring aantoon* aan tonen toon* akkoord accepteer* toestem* begrijp* verzoek* vraag* vraagt aanvraag* dienst* service* platform* website* site* pagina* app* toepassing ondersteuning aanbieder* proces* procedure* stap* begin* start* voltooi* afrond* ga verder doorgaan doel* reden* resultaat* nonce* uitdaging* id kenmerk* nummer* referentie* ref code* uitgegeven afgegeven verloop* verloopt vervalt geldig* minut* uur* uren seconde* dag* week* weken maand* jaar datum tijd* tijdstip* huidig* versie uri url domein* host oorsprong type* naam* email e mail post gekoppeld* koppel* geregistreerd* registr* profiel* gegevens* informatie* veld* waarde* vereist* nodig* gebruik* gebruikt eenmalig* uniek* willekeurig* gratis kosten* kost gas offline onchain offchain buiten off chain actie* handeling* veilig* bescherm* voorkom* fraude* aanval* geld witwas* terrorisme* beleid* privacy voorwaarde* volg* onderstaand* boven lees* zorgvuldig* juist* correct* waar* wet* wettelijk* regel* niveau* document* paspoort* status sessie* simpel* eenvoudig* verplicht* klik* open* apparaat* browser* januari februari maart april mei juni juli augustus september oktober november december zelfde andere alle elke vorm* keer deel woord*`,
  own: 'eigendom* eigenaar* bezit* behoort toebehoort beheer* beheert eigen*',
  kyc: 'kyc kyb aml identiteit* identific* verificatie* compliance',
  act: 'overboek* overdracht* verzend* verstuur* stuur* uitgev* verplaats* opnem* betal* toegang* machtig* recht* goedkeur* verleen* koop* verkoop* geef* geven',
  grant: 'autoris* machtigt autoriseert verleent geeft keurt stuurt',
  not: 'niet geen niets nooit noch zonder niemand',
  login: 'login inlog* aanmeld* verbind*',
};
