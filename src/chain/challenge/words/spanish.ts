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
