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

/** German. Compounds of these words count too. */
export const german: Words = {
  plain: `wirtschaftlich* angegeben* aktenzeichen pravention vorbeug* rechtmassig* alleinig* alleiniger berechtigter verursach* weis* weise weisen weist nachgewiesen ignorier* andernfalls ansonsten wunsch* gewunscht* absicht* zwecks rahmen hinblick bezug gemasse entsprechend* genannt* aufgefuhrt* beschrieben* unterzeichnet* ausschliesslich* sollte sollten empfang* erhalt* zahlung* bank* karte* grenze* hinweis* wichtig* frage* kontakt* dritte* weitergeb* gespeichert* speicher* aufbewahr* echt* legitim* land* wohnsitz* geburt* alter* volljahrig* telefon* handy ziffer* sms pflicht* verpflicht* institut* verantwort* einzige* entstehen stattfind* allgemein* insbesondere digital* geldwascheprevention code tan personlich* meine* sofern sobald danach davor zuvor bereits werde hiervon hervor moglich* online
transaktion* guthaben* vermogen* token* tokens mittel* saldo* munze* krypto* einzahl* vertrag* auftrag* nft* usdt usdc ander* ausfuhr* ausgefuhrt
der die das den dem des ein eine einen einem einer eines ich mich mir mein meine meinen meinem meiner meines wir uns unser unsere unseren unserem unserer du dich dir dein deine deinen deinem deiner sie ihr ihre ihren ihrem ihrer ihres ihnen er es sein seine seinen man
dies diese dieser dieses diesen diesem jene* welche* wer wen wem was wie wo wann warum weil da damit dass ob wenn falls und oder aber sondern sowie auch nur noch schon jetzt heute hier dort so als an am auf aus bei beim bis durch fur gegen im in ins mit nach seit uber um unter vom von vor wahrend wegen zu zum zur zwischen hiermit dazu daran darauf dafur davon hierzu hierfur gemass laut per pro
ist sind bin bist war waren wird werden wurde wurden sei seien sein hat haben habe hast kann konnen darf durfen muss mussen soll sollen mochte mochten wollen will bitte hallo guten tag willkommen danke sehr geehrte* herr frau nutzer* benutzer* kunde* kundin* person* mensch* unternehmen* firma naturliche juristische konto* kontos zahler*
nachricht* text* unterschr* unterzeichn* signatur* signier* signiere* wallet* geldborse* brieftasche* adresse* adress* ethereum evm blockchain* kette* netzwerk* netz mainnet testnet
beweis* nachweis* nachzuweis* beleg* bestatig* uberpruf* pruf* gepruft verifizier* validier* gultig* erklar* versicher* bescheinig* anerkenn* zustimm* stimme* akzeptier* einverstanden verstand* verstehe* bitten bittet gebeten anfrage* anforder* angefordert fordert dienst* service* plattform* webseite* website* seite* portal* anwendung* app support anbieter* verfahren* prozess* vorgang* schritt* beginn* start* abschluss* abschliess* abzuschliess* abgeschlossen fortsetz* fortzusetz* fortfahr* zweck* grund* ziel* ergebnis*
nonce* einmal* zufall* zahl wert* herausforderung* challenge* id kennung* nummer* referenz* ref code* ausgestellt* ausstell* ausgeb* ausgegeben aussteller* ablauf* ablauft lauft ab abgelaufen minute* stunde* sekunde* tag* woche* monat* jahr* datum* zeit* uhr zeitpunkt* zeitstempel* aktuell* version uri url domain* domane* host ursprung* herkunft typ* art name* email e mail post verknupf* verbund* zugeordnet zuordn* registrier* profil* daten* angabe* information* feld* inhalt*
erforderlich* notig* notwendig* benotig* verwend* genutzt nutz* nutzung* benutzt einzig* einmalig* eindeutig* zufallig* kostenlos* kostenfrei* gebuhrenfrei* kosten* gebuhr* gas fallen anfall* entsteh* offline onchain offchain ausserhalb off chain aktion* handlung* vorgange sicher* schutz* schutzt dient dienen verhinder* vermeid* betrug* angriff* wiederhol* missbrauch*
geldwasche* geldwaschegesetz* geld terrorismus* finanzierung* bekampfung* richtlinie* datenschutz* bedingung* geschaftsbedingung* agb folgend* unten oben lesen lest lies sorgfaltig* genau* korrekt* richtig* wahr* wahrheit* recht* gesetz* gesetzlich* regul* vorschrift* ordnung* stufe* basis voll* standard* dokument* ausweis* reisepass* pass erfolg* erfolgreich* status zustand* ausstehend* sitzung* einfach* verpflichtend* freiwillig* optional* knopf klick* offnen offne kenne gerat* browser* fenster
montag* dienstag* mittwoch* donnerstag* freitag* samstag* sonntag* januar februar marz april mai juni juli august september oktober november dezember
selbe* derselbe* andere* alle* jede* einige* solche* vorliegend* mittels mithilfe hilf* helf* zeig* form* weise mal fall falle teil* zeile* wort* lesbar* gilt gelten gelt* fuhrt fuhren losen lost wir durchgefuhrt durchfuhr* erfolgt erfolgen stell* gestellt handelt handeln`,
  own: 'besitz* gehor* eigentum* eigentumer* inhaber* kontrolle* kontrollier* inhaberschaft eigene* zugehor*',
  kyc: 'kyc kyb aml identitat* identifi* verifizierung* verifikation* legitimation* legitimier* compliance',
  act: `uberweis* ubertrag* send* gesendet versend* ausgeb* ausgab* beweg* abheb* abbuch* auszahl* zahl* bezahl* zahlung* berechtig* erlaub* genehmig* zugriff* zugang* gewahr* auslos* ausgelost delegier* tausch* kauf* verkauf* erteil* belast* vollmacht*`,
  grant:
    'autorisier* ermachtig* autorisiert ermachtigt erlaubt genehmigt gewahrt erteilt uberweist ubertragt sendet bewegt',
  not: 'nicht kein* nichts nie niemals ohne weder noch niemand',
  login: 'login anmeld* einlogg* eingeloggt einzulogg* verbind*',
};

/** English. */
export const english: Words = {
  plain: `submit* trigger* initiat* comply complies ignor* below following listed indicated specified provided digital sole solely beneficial rightful lawful intent intention* perform* conduct* make receive receiv* can cannot able pix fiat bank* card* withdrawal* limit* feature* notice note* important attention warning* never contact* question* issue* problem* otherwise instead stored store* saved kept shared share* third party parties re ve ll independent* automat* manual* internal external official authentic* genuine legitimate legitimacy entitled person* undersigned state* states solemn* knowledge best belief purposes context regard* respect* according accordance under over eu brazil european union country countr* resident* residence address citizen* birth age adult years old phone number digits pin mobile sms inbox wallet's user's i'm
transaction* fund* asset* token* balance* coin* crypto* payment* payments deposit* contract* debit* bill* invoice* order* nft* usdt usdc change* modif*
a an the this that these those it its is are was were be been being am i me my mine we us our ours you your he she they them
their to of in on at by for from with within via as and or but if then than so when while before after until once again also only just
solana sol any all each every one some other same new such both per into through under over about which who whom whose what where why how elsewhere anywhere later soon here there
will would shall should can could may might must do does did done have has had having please kindly hello hi dear welcome thank* thanks
user* customer* client* person* human individual* company business* corporate entity natural merchant* payer* account* holder*
message* text* sign signs signed signing signature* signer* wallet* address* blockchain* chain* network* mainnet testnet
prov* proof* confirm* verify* verifi* check* demonstrat* establish* show* valid* request* service* platform* website* site* app application*
team support provider* portal page* screen* process* procedure* step* start* begin* complet* continu* proceed* finish* purpose* reason* result*
nonce* challenge* id ids identifier* number* reference* ref code* issued issue* issuer* expir* minute* hour* second* day* week* month* year* date* time*
timestamp* utc gmt am pm now today current* version uri url domain* host origin statement* type* name* email* mail e link* associat* register* registration*
profile* data detail* information* record* field* value* connection content* require* requirement* need* necessary use uses used using unique single
random* free charge* cost* gas gasless fee* offline offchain onchain off action* operation* secure* security safe* protect* prevent* replay*
fraud* attack* terrorism anti money laundering public policy policies privacy terms condition* follow* below above read review* careful* sure ensur*
correct* accurate* true truth* truthful* declare* declaring declaration* hereby certif* attest* acknowledg* agree* accept* consent* understand* aware
know due diligence onboarding mon tue wed thu fri sat sun legal* law* regulat* order level* tier* basic full standard enhanced document* passport* successful* success status state pending session*
simple simply required mandatory optional section part session* button* click* press* tap* open opens opened opening device* browser* window
ask* want* would like help* allowing let lets make makes made match* compare* between against because since due well still yet
monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec eip erc standard* format* json line* word* sentence* exact* plain readable`,
  own: 'own owns owned owner* owning ownership belong* control* possess* yours hold holds holding held',
  kyc: 'kyc kyb aml identit* identif* verification* compliance',
  act: `sale sales auction* bid bids vote* voting subscri* borrow* lend* transfer* send sending sent spend spending spent move* moving withdraw* withdrew pay paid paying permission* permit* right* allow allowed allowance* approv* access* grant granted granting broadcast* execut* delegat* swap* buy* sell* give given giving trade*`,
  grant:
    'authoris* authoriz* authorises authorizes grants allows permits approves gives sends transfers moves spends delegates lets',
  not: "not no nothing never none neither nor without cannot can't don't doesn't won't isn't don doesn won isn aren didn nobody",
  login: 'login log logs logged logging signin connect connects connecting connected enter* entering',
};
