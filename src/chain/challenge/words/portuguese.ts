import type { Words } from './words.ts';

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
