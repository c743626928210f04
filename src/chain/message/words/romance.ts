import type { Words } from './words.ts';

/** Spanish. */
export const spanish: Words = {
  plain: `efecto* digital indicad* folio realiz* dese* ignor* contrario asimismo abajo firmante mencionad* referid* descrit* exclusiv* relacion respecto acuerdo ambito marco recib* pago* banco* bancari* limite* aviso* importante* duda* contacto tercero* compart* almacen* guard* autentic* legitim* gasto* genera custo cobrad* pais residen* nacimiento edad mayor telefono movil digito* sms cumpl* obligac* instituc* responsab* responsable unica efectu* ocurr* habra haber hay seguida particular general generales conjunto intencion proceder debid* arriba senalad* llev* cabo trata tratar conlleva implica supone titular* anterior* fines
transaccion* fondo fondos activo activos token tokens saldo* moneda* cripto* deposit* contrato* debit* ordenes nft* usdt usdc alter* modific* ejecut*
el la los las un una unos unas lo al del de en con por para sin sobre entre hasta desde tras antes despues y e o u pero si que quien quienes cual cuales cuyo cuya como cuando
donde porque pues asi tambien solo solamente unicamente aun ya ahora hoy yo me mi mis mio mia tu tus te ti usted ustedes su sus suyo suya el ella ellos ellas nuestro nuestra nuestros nuestras nos le les se
esto este esta estos estas eso ese esa esos esas aquel aquella ello ser soy es son fue sera sea sean estar estoy esta estan tener tiene tengo tenemos tendra puede pueden pueda podra debe deben va ir hacer hace hecho haga quiere desea quisiera
solicit* pide pedimos pedido* peticion* favor hola bienvenid* gracias estimad* usuari* cliente* persona* humano titular* pagador* empresa* fisica juridica natural cuenta cuentas mensaje* texto* firm* cartera* billetera* monedero* wallet* direccion* ethereum evm blockchain* cadena* red redes mainnet testnet
prueb* prob* demuestr* demostr* comprueb* comprob* confirm* verific* valid* acredit* declar* certific* atestig* reconoc* acept* acuerdo consent* consient* entiend* afirm* asegur* garantiz*
servicio* plataforma* sitio* web portal pagina* pantalla aplicacion* app equipo soporte proveedor* proceso* procedimiento* paso* etapa* inici* comenz* comienz* complet* continu* prosegu* prosig* termin* finaliz* finalidad* proposito* motivo* objetivo* fin resultado* nonce* desafio* reto*
identificador* id numero* referencia* ref codigo* emitid* emision emisor expira* caduc* venc* validez vigencia valido valida minuto* hora* segundo* dia* semana* mes meses ano* fecha* momento tiempo actual version uri url dominio* host origen tipo* nombre* email e mail correo electronico vincul* asoci* registr* perfil* dato* detalle* informacion* campo* valor*
exig* requer* requier* requisit* necesari* necesit* uso usad* usar utiliz* unic* aleatori* gratuit* gratis coste* costo* costa* cuesta* tarifa* comision* gas cobr* offline onchain offchain fuera off chain accion* operacion* segur* proteg* protec* evit* preven* fraude* ataque* repetic*
lavado blanqueo dinero capitales terrorismo financiacion financiamiento politica* privacidad termino* condicion* seguir siguiente* sigue abajo arriba continuacion lea leer atentamente cuidado* correct* exact* verdad* verdader* cierto legal* ley leyes regul* norma* normativa orden nivel niveles basic* completo estandar documento* pasaporte*
exito estado pendiente sesion sesiones simple* sencill* obligatori* opcional boton clic haga pulse abra abrir abre conozca conoce dispositivo* navegador* ventana lunes martes miercoles jueves viernes sabado domingo enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre
mismo misma mismos mismas otro otra todo toda todos todas cada algun alguna tal tales presente mediante traves sirve servir serv* ayud* muestr* mostr* present* forma modo vez veces caso conforme segun parte linea* palabra* legible a ante`,
  own: 'dueno duena duenos posee poseo poseer propie* titularidad pertenec* pertenezc* controla controlo control posesion',
  kyc: 'kyc kyb aml identidad* identific* verificac* cumplimiento compliance',
  act: `transfer* transfier* envi* gast* muev* mov* retir* pag* permis* permit* derecho* aprob* aprueb* acced* acceso* conced* otorg* activ* transmit* deleg* compr* vend* dar`,
  grant: 'autoriz* autoriza concede otorga permite aprueba transfiere envia mueve gasta delega',
  not: 'no ningun* nada nunca ni sin jamas tampoco nadie',
  login: 'login entrar entre entrada iniciar conectar conecte conexion ingresar ingrese',
};

/** Portuguese. */
export const portuguese: Words = {
  plain: `fins realiz* efeito* digital informad* indicad* protocolo ignor* desconsider* contrario solicitante abaixo assinad* abaixo-assinado desej* deseja intencao proceder devid* acim* mencionad* referid* descrit* exclusiv* exclusivamente finalidades relacao respeito acordo ambito jun juntos receber receb* pagamento* pix banco* bancari* limite* recurso* aviso* importante* importancia duvida* contato terceiro* compartilh* armazen* guardad* autentic* legitim* gera* custo cobrad* cobrar brasil pais residen* nascimento idade maior telefone celular digito* sms cumprimento cumprir obrigac* resoluc* banco central comunicac* instituic* responsab* responsavel unica exclusiva efetu* ocorr* haver havera ha seguida particular geral gerais conjunto
transac* fundo fundos ativo ativos token tokens saldo* moeda* cripto* deposit* contrato* debit* ordem ordens nft* usdt usdc alter* modific* valores execut*
a o as os um uma uns umas ao aos da do das dos de em na no nas nos num numa pela pelo pelas pelos por para com sem sob sobre entre ate
apos antes depois e ou mas se que quem qual quais cujo cuja como quando onde porque pois assim tambem apenas somente so ainda ja agora hoje
eu me mim meu minha meus minhas voce voces seu sua seus suas ele ela eles elas nosso nossa nossos nossas lhe nos isso isto esse essa esses essas este esta
estes estas aquele aquela deste desta neste nesta dessa desse nessa nesse disso ser sou e eh sao foi sera seja sejam estar estou estao esta estiver ter tem temos tenho
tera pode podem possa possam deve devem deveria vai vou ir fazer faz faca feito queira quer deseja gostaria solicita* solicitou solicito pedido* pede pedimos
por favor ola oi bem vindo vinda obrigad* caro cara prezad* usuari* utilizador* cliente* pessoa* humano titular* pagador* empresa* fisica juridica natural conta contas
mensagem* texto* assin* carteira* wallet* endereco* ethereum evm blockchain* cadeia* rede* mainnet testnet
prov* comprov* confirm* verific* demonstr* valid* atest* declar* certific* reconhec* concord* aceit* consent* estou ciente ciencia entend* afirm* assegur* garant*
servico* plataforma* site sites portal pagina* tela aplicativo* app aplicacao equipe suporte provedor* processo* procedimento* etapa* passo* inici* comec* conclu* complet* continu* prossegu* prosseguir finaliz*
finalidade* proposito* motivo* objetivo* fim resultado* nonce* desafio* identificador* id numero* referencia* ref codigo* emitid* emissao emissor expira* vence* vencimento* validade valido valida minuto* hora* segundo* dia* semana* mes meses ano* data datas horario*
momento tempo atual versao uri url dominio* host origem tipo* nome* email e mail correio eletronico vincul* associ* registr* regist* cadastr* perfil* dado* detalhe* informac* registro* campo* valor*
exig* requer* requisit* necessari* precis* uso usad* usar utiliz* unic* unico aleatori* gratuit* gratis custo* taxa* gas tarifa* cobranc* offline onchain offchain fora off chain acao acoes operacao operacoes segur* proteg* protec* evit* preven* fraude* ataque* repetic*
lavagem dinheiro terrorismo financiamento combate politica* privacidade termo* condic* seguir seguinte* abaixo acima leia ler atenc* atentamente certifique corret* exat* verdade* verdadeir* legal legais lei leis regul* normas ordem nivel niveis basic* completo padrao documento* passaporte*
sucesso status estado pendente sessao sessoes simples obrigator* opcional botao clique clicar abra abrir abre conheca dispositivo* navegador* janela 
segunda terca quarta quinta sexta sabado domingo feira janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro
mesmo mesma mesmos mesmas outro outra todo toda todos todas cada algum alguma tal tais acima presente meio atraves serve servir serv* ajud* mostr* apresent* forma modo vez vezes caso conforme segundo parte linha* palavra* leitura legivel junto para porem contudo sendo`,
  own: 'dono dona donos possui possuo possuir proprie* propriet* titularidade pertence pertencem controla controlo controle posse detem detenho detentor*',
  kyc: 'kyc kyb aml identidade* identific* verificac* conformidade compliance pld',
  act: `transfer* envi* gast* mov* saque* sacar retir* pag* permiss* permit* direito* aprov* acess* conced* dispar* transmit* deleg* troca* compr* vend* dar`,
  grant: 'autoriz* autoriza concede permite aprova transfere envia move gasta delega',
  not: 'nao nenhum* nada nunca nem sem jamais ninguem',
  login: 'login entrar entre entrada logar conectar conecte conexao acessar',
};

/** Italian. */
export const italian: Words = {
  plain: `indicat* seguito ignor* contrario desider* intenzione procedere debit* menzionat* sottoscritt* descritt* esclusiv* relazione rispetto accordo ambito riceve* pagament* banca* bancari* limit* avviso important* domand* contatt* terz* condivi* conserv* memorizz* autentic* legittim* genera comporta comportare paese residen* nascita eta maggiorenne telefono cellulare cifr* sms obblig* istituzion* responsab* unico digital* fini effett* luogo general* particolare insieme prevenzione addebitat* costituisc* rappresent* avvi* effettu* effettuat*
transazion* fondi fondo attivita token saldo* moneta* cripto* deposit* esegu* contratt* addebit* ordini nft* usdt usdc modific*
il lo la i gli le l un uno una di a da in con su per tra fra del dello della dei degli delle d al allo alla ai agli alle dal dalla nel nella nei nelle sul sulla sui e ed o ma se che chi cui quale quali come quando dove perche poi anche solo soltanto esclusivamente ancora gia ora adesso oggi
io mi me mio mia miei mie noi ci nostro nostra nostri nostre tu ti te tuo tua tuoi tue lei voi vi vostro vostra suo sua suoi sue egli esso essa loro lui si questo questa questi queste quest quello quella cio essere e sono sei siamo stato stata sara sia avere ho hai ha abbiamo hanno avra puo possono deve devono fare fatto fai vuole desidera vorremmo richie* chied* favore ciao salve benvenut* grazie gentile caro utent* client* persona* uman* titolare* pagante* azienda* societa* fisica giuridica account conto
messaggi* testo* firm* portafoglio* wallet* indirizz* ethereum evm blockchain* catena* rete reti mainnet testnet prov* dimostr* conferm* verific* valid* attest* dichiar* certific* riconosc* accett* acconsent* consens* compren* capisc* afferm* assicur* garant*
servizio* servizi piattaforma* sito web portale pagina* schermata applicazione* app squadra supporto fornitore* processo* procedura* passo* passaggio* inizi* cominc* complet* continu* proced* proseg* termin* finalita scopo* motivo* obiettivo* fine risultato* nonce* sfida* identificativo* id numero* riferimento* ref codice* emess* emissione emittente scad* validita valido valida minut* ora ore second* giorn* settiman* mese mesi ann* data date orario momento tempo attuale versione uri url dominio* host origine tipo* nome* email e mail posta elettronica colleg* associ* registr* profilo* dati dato dettagli* informazion* campo* valore*
richiest* requisit* necessari* bisogno uso usat* usare utilizz* unic* casual* gratuit* gratis cost* commission* gas tariff* offline onchain offchain fuori off chain azion* operazion* sicur* protegg* protez* evit* preven* impedi* frod* attacc* replica* riciclaggio denaro terrorismo finanziamento antiriciclaggio contro politica* informativa privacy termin* condizion* seguire seguent* sotto sopra leggere legga leggi attentamente attenzione corrett* esatt* verita vero vera legal* legge leggi regol* norma* normativa ordine livello* base standard document* passaporto* successo stato attesa session* semplice* semplicemente obbligatori* facoltativ* pulsante clicc* apri aprire apra dispositivo* browser finestra
lunedi martedi mercoledi giovedi venerdi sabato domenica gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
stesso stessa stessi stesse altro altra tutto tutta tutti tutte ogni alcun* tale tali present* mediante tramite attraverso serve servire serv* aiut* mostr* forma modo volta volte caso secondo parte riga righe parola* leggibile cosi`,
  own: 'propriet* possied* possed* possess* appartien* appartenenz* controll* detien* intestatari*',
  kyc: 'kyc kyb aml identita* identific* verifica* conformita compliance',
  act: `trasfer* invi* spend* spes* spost* preliev* prelev* ritir* pag* permess* permett* diritt* approv* access* acced* conced* attiv* trasmett* deleg* compr* vend* dare`,
  grant: 'autorizz* autorizza concede permette approva trasferisce invia sposta delega',
  not: 'non nessun* nulla niente mai ne senza',
  login: 'login entrare entra accedere accedi connett* connession* collegati',
};

/** French. */
export const french: Words = {
  plain: `vouloir effectu* aupres entrain* soussigne* ignor* contraire ailleurs souhait* desir* intention* proceder dument mentionne* indique* refere* decrit* exclusi* relation rapport accord cadre recevoir recev* paiement* banque* bancaire* limite* avis important* question* contact* tiers partag* stock* conserv* authenti* legitim* occasion* engendr* pays residen* naissance age majeur telephone mobile chiffre* sms obligation* institution* responsab* seul* numerique* fins effet* effets lieu general* particulier ensemble prevention precise* concern* fourni* certifie engage aucunement implique* constitue* represent* dessus
transaction* fonds actif* jeton* token* solde* monnaie* crypto* depos* depot* execut* contrat* ordres nft* usdt usdc modifi*
le la les l un une des du de d au aux en dans sur sous par pour avec entre vers chez jusqu jusque apres avant depuis et ou mais si que qu qui quoi dont quel* comme quand lorsque afin car donc aussi seulement uniquement encore deja maintenant aujourd hui
je j me m moi mon ma mes nous notre nos vous votre vos tu te toi ton ta tes il elle ils elles on se s son sa ses lui leur leurs ce c cet cette ces cela ceci ca celui celle y a
etre est suis sont etes sommes ete etait sera seront soit avoir ai as avez avons ont aura peut peuvent pouvez pourra doit doivent devez devra faire fait faites veuillez veut voulez souhait* demand* requete* merci bonjour bienvenue cher chere utilisat* client* personne* humain* titulaire* payeur* entreprise* societe* physique morale compte comptes
message* texte* sign* portefeuille* wallet* adresse* ethereum evm blockchain* chaine* reseau* mainnet testnet
prouv* preuve* confirm* verifi* demontr* valid* attest* declar* certifi* reconnai* accept* accord consent* compren* affirm* assur* garanti*
service* plateforme* site web portail page* ecran* application* app equipe support fournisseur* processus procedure* etape* commenc* debut* demarr* termin* complet* continu* poursui* finalis* finalite* but objet objectif* raison* resultat* nonce* defi* challenge identifiant* id numero* reference* ref code* emis* emission emetteur expir* echeance validite valable minute* heure* seconde* jour* semaine* mois annee* date* horodatage moment temps actuel* version uri url domaine* hote* origine* type* nom* email e mail courriel courrier electronique lie liee lies liees lier associe* associ* enregistr* inscri* profil* donnee* detail* information* champ* valeur*
exig* requi* necessaire* besoin utilis* usage* unique* aleatoire* gratuit* gratuitement cout* coute* frais gas gaz offline onchain offchain hors off chain action* operation* securi* securise* proteg* protec* evit* preven* empech* fraude* attaque* rejeu blanchiment argent capitaux terrorisme financement lutte contre politique* confidentialite condition* suiv* suivant* dessous dessus lire lisez attentivement soigneusement correct* exact* verite vrai* veridique* legal* loi* reglement* norme* conforme* ordre niveau* base standard document* passeport* succes statut etat attente session* simple* simplement obligatoire* facultati* bouton cliqu* clic ouvr* appareil* navigateur* fenetre*
lundi mardi mercredi jeudi vendredi samedi dimanche janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre
meme memes autre* tout toute tous toutes chaque certain* tel* present* moyen travers sert servir servira aide* montr* forme* maniere fois cas selon partie ligne* mot* lisible cadre connaitre connaissance ainsi bien aucunement t n`,
  own: 'proprietaire* possed* possess* appartien* controle* control* detien* detenteur* detenir',
  kyc: 'kyc kyb aml identit* identifi* verification* conformite compliance',
  act: `transf* envo* depens* deplac* retir* retrait* pai* pay* permission* permet* droit* approuv* approb* acces acced* accord* octroi* declench* transmet* deleg* achat* achet* vend* donn* debit* prelev*`,
  grant: 'autoris* autorise permet approuve accorde octroie transfere envoie donne',
  not: 'ne pas n aucun* rien jamais ni sans nul* personne',
  login: 'login connect* connexion entrer entrez acceder',
};
