import type { Words } from './words.ts';

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
