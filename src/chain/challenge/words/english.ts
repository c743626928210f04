import type { Words } from './words.ts';

/** English. */
export const english: Words = {
  plain: `submit* trigger* initiat* comply complies ignor* below following listed indicated specified provided digital sole solely beneficial rightful lawful intent intention* perform* conduct* make receive receiv* can cannot able pix fiat bank* card* withdrawal* limit* feature* notice note* important attention warning* never contact* question* issue* problem* otherwise instead stored store* saved kept shared share* third party parties re ve ll independent* automat* manual* internal external official authentic* genuine legitimate legitimacy entitled person* undersigned state* states solemn* knowledge best belief purposes context regard* respect* according accordance under over eu brazil european union country countr* resident* residence address citizen* birth age adult years old phone number digits pin mobile sms inbox wallet's user's i'm
transaction* fund* asset* token* balance* coin* crypto* payment* payments deposit* contract* debit* bill* invoice* order* nft* usdt usdc change* modif*
a an the this that these those it its is are was were be been being am i me my mine we us our ours you your he she they them
their to of in on at by for from with within via as and or but if then than so when while before after until once again also only just
solana polygon matic bsc bnb arbitrum base sol eth any all each every one some other same new such both per into through under over about which who whom whose what where why how elsewhere anywhere later soon here there
will would shall should can could may might must do does did done have has had having please kindly hello hi dear welcome thank* thanks
user* customer* client* person* human individual* company business* corporate entity natural merchant* payer* account* holder*
message* text* sign signs signed signing signature* signer* wallet* address* ethereum evm blockchain* chain* network* mainnet testnet
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
