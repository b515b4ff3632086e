/**
 * @license
 * Copyright 2010-2025 Three.js Authors
 * SPDX-License-Identifier: MIT
 */const ih="180",Mr={ROTATE:0,DOLLY:1,PAN:2},vr={ROTATE:0,PAN:1,DOLLY_PAN:2,DOLLY_ROTATE:3},hm=0,nu=1,um=2,md=1,gd=2,Hi=3,ds=0,Bn=1,ii=2,cs=0,Sr=1,iu=2,su=3,ru=4,fm=5,Ds=100,dm=101,pm=102,mm=103,gm=104,_m=200,vm=201,xm=202,Mm=203,Ql=204,tc=205,Sm=206,ym=207,Em=208,bm=209,Tm=210,wm=211,Am=212,Rm=213,Cm=214,ec=0,nc=1,ic=2,Tr=3,sc=4,rc=5,oc=6,ac=7,sh=0,Pm=1,Dm=2,hs=0,Lm=1,Um=2,Im=3,Nm=4,Fm=5,Om=6,Bm=7,_d=300,wr=301,Ar=302,lc=303,cc=304,Na=306,hc=1e3,Is=1001,uc=1002,Kn=1003,zm=1004,Io=1005,_i=1006,al=1007,Ns=1008,Li=1009,vd=1010,xd=1011,vo=1012,rh=1013,Bs=1014,Ri=1015,To=1016,oh=1017,ah=1018,xo=1020,Md=35902,Sd=35899,yd=1021,Ed=1022,vi=1023,Mo=1026,So=1027,lh=1028,ch=1029,bd=1030,hh=1031,uh=1033,ma=33776,ga=33777,_a=33778,va=33779,fc=35840,dc=35841,pc=35842,mc=35843,gc=36196,_c=37492,vc=37496,xc=37808,Mc=37809,Sc=37810,yc=37811,Ec=37812,bc=37813,Tc=37814,wc=37815,Ac=37816,Rc=37817,Cc=37818,Pc=37819,Dc=37820,Lc=37821,Uc=36492,Ic=36494,Nc=36495,Fc=36283,Oc=36284,Bc=36285,zc=36286,km=3200,Hm=3201,fh=0,Vm=1,as="",qn="srgb",Rr="srgb-linear",ya="linear",Ae="srgb",er=7680,ou=519,Gm=512,Wm=513,Xm=514,Td=515,Ym=516,qm=517,Km=518,jm=519,au=35044,lu="300 es",Ci=2e3,Ea=2001;class Gs{addEventListener(t,e){this._listeners===void 0&&(this._listeners={});const n=this._listeners;n[t]===void 0&&(n[t]=[]),n[t].indexOf(e)===-1&&n[t].push(e)}hasEventListener(t,e){const n=this._listeners;return n===void 0?!1:n[t]!==void 0&&n[t].indexOf(e)!==-1}removeEventListener(t,e){const n=this._listeners;if(n===void 0)return;const s=n[t];if(s!==void 0){const r=s.indexOf(e);r!==-1&&s.splice(r,1)}}dispatchEvent(t){const e=this._listeners;if(e===void 0)return;const n=e[t.type];if(n!==void 0){t.target=this;const s=n.slice(0);for(let r=0,o=s.length;r<o;r++)s[r].call(this,t);t.target=null}}}const xn=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"],uo=Math.PI/180,kc=180/Math.PI;function wo(){const i=Math.random()*4294967295|0,t=Math.random()*4294967295|0,e=Math.random()*4294967295|0,n=Math.random()*4294967295|0;return(xn[i&255]+xn[i>>8&255]+xn[i>>16&255]+xn[i>>24&255]+"-"+xn[t&255]+xn[t>>8&255]+"-"+xn[t>>16&15|64]+xn[t>>24&255]+"-"+xn[e&63|128]+xn[e>>8&255]+"-"+xn[e>>16&255]+xn[e>>24&255]+xn[n&255]+xn[n>>8&255]+xn[n>>16&255]+xn[n>>24&255]).toLowerCase()}function le(i,t,e){return Math.max(t,Math.min(e,i))}function $m(i,t){return(i%t+t)%t}function ll(i,t,e){return(1-e)*i+e*t}function jr(i,t){switch(t.constructor){case Float32Array:return i;case Uint32Array:return i/4294967295;case Uint16Array:return i/65535;case Uint8Array:return i/255;case Int32Array:return Math.max(i/2147483647,-1);case Int16Array:return Math.max(i/32767,-1);case Int8Array:return Math.max(i/127,-1);default:throw new Error("Invalid component type.")}}function In(i,t){switch(t.constructor){case Float32Array:return i;case Uint32Array:return Math.round(i*4294967295);case Uint16Array:return Math.round(i*65535);case Uint8Array:return Math.round(i*255);case Int32Array:return Math.round(i*2147483647);case Int16Array:return Math.round(i*32767);case Int8Array:return Math.round(i*127);default:throw new Error("Invalid component type.")}}const Zm={DEG2RAD:uo};class Qt{constructor(t=0,e=0){Qt.prototype.isVector2=!0,this.x=t,this.y=e}get width(){return this.x}set width(t){this.x=t}get height(){return this.y}set height(t){this.y=t}set(t,e){return this.x=t,this.y=e,this}setScalar(t){return this.x=t,this.y=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;default:throw new Error("index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;default:throw new Error("index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y)}copy(t){return this.x=t.x,this.y=t.y,this}add(t){return this.x+=t.x,this.y+=t.y,this}addScalar(t){return this.x+=t,this.y+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this}subScalar(t){return this.x-=t,this.y-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this}multiply(t){return this.x*=t.x,this.y*=t.y,this}multiplyScalar(t){return this.x*=t,this.y*=t,this}divide(t){return this.x/=t.x,this.y/=t.y,this}divideScalar(t){return this.multiplyScalar(1/t)}applyMatrix3(t){const e=this.x,n=this.y,s=t.elements;return this.x=s[0]*e+s[3]*n+s[6],this.y=s[1]*e+s[4]*n+s[7],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this}clamp(t,e){return this.x=le(this.x,t.x,e.x),this.y=le(this.y,t.y,e.y),this}clampScalar(t,e){return this.x=le(this.x,t,e),this.y=le(this.y,t,e),this}clampLength(t,e){const n=this.length();return this.divideScalar(n||1).multiplyScalar(le(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(t){return this.x*t.x+this.y*t.y}cross(t){return this.x*t.y-this.y*t.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(t){const e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;const n=this.dot(t)/e;return Math.acos(le(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){const e=this.x-t.x,n=this.y-t.y;return e*e+n*n}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this}equals(t){return t.x===this.x&&t.y===this.y}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this}rotateAround(t,e){const n=Math.cos(e),s=Math.sin(e),r=this.x-t.x,o=this.y-t.y;return this.x=r*n-o*s+t.x,this.y=r*s+o*n+t.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}}class zn{constructor(t=0,e=0,n=0,s=1){this.isQuaternion=!0,this._x=t,this._y=e,this._z=n,this._w=s}static slerpFlat(t,e,n,s,r,o,a){let c=n[s+0],l=n[s+1],f=n[s+2],h=n[s+3];const u=r[o+0],p=r[o+1],_=r[o+2],x=r[o+3];if(a===0){t[e+0]=c,t[e+1]=l,t[e+2]=f,t[e+3]=h;return}if(a===1){t[e+0]=u,t[e+1]=p,t[e+2]=_,t[e+3]=x;return}if(h!==x||c!==u||l!==p||f!==_){let m=1-a;const d=c*u+l*p+f*_+h*x,T=d>=0?1:-1,A=1-d*d;if(A>Number.EPSILON){const L=Math.sqrt(A),C=Math.atan2(L,d*T);m=Math.sin(m*C)/L,a=Math.sin(a*C)/L}const S=a*T;if(c=c*m+u*S,l=l*m+p*S,f=f*m+_*S,h=h*m+x*S,m===1-a){const L=1/Math.sqrt(c*c+l*l+f*f+h*h);c*=L,l*=L,f*=L,h*=L}}t[e]=c,t[e+1]=l,t[e+2]=f,t[e+3]=h}static multiplyQuaternionsFlat(t,e,n,s,r,o){const a=n[s],c=n[s+1],l=n[s+2],f=n[s+3],h=r[o],u=r[o+1],p=r[o+2],_=r[o+3];return t[e]=a*_+f*h+c*p-l*u,t[e+1]=c*_+f*u+l*h-a*p,t[e+2]=l*_+f*p+a*u-c*h,t[e+3]=f*_-a*h-c*u-l*p,t}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get w(){return this._w}set w(t){this._w=t,this._onChangeCallback()}set(t,e,n,s){return this._x=t,this._y=e,this._z=n,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(t){return this._x=t.x,this._y=t.y,this._z=t.z,this._w=t.w,this._onChangeCallback(),this}setFromEuler(t,e=!0){const n=t._x,s=t._y,r=t._z,o=t._order,a=Math.cos,c=Math.sin,l=a(n/2),f=a(s/2),h=a(r/2),u=c(n/2),p=c(s/2),_=c(r/2);switch(o){case"XYZ":this._x=u*f*h+l*p*_,this._y=l*p*h-u*f*_,this._z=l*f*_+u*p*h,this._w=l*f*h-u*p*_;break;case"YXZ":this._x=u*f*h+l*p*_,this._y=l*p*h-u*f*_,this._z=l*f*_-u*p*h,this._w=l*f*h+u*p*_;break;case"ZXY":this._x=u*f*h-l*p*_,this._y=l*p*h+u*f*_,this._z=l*f*_+u*p*h,this._w=l*f*h-u*p*_;break;case"ZYX":this._x=u*f*h-l*p*_,this._y=l*p*h+u*f*_,this._z=l*f*_-u*p*h,this._w=l*f*h+u*p*_;break;case"YZX":this._x=u*f*h+l*p*_,this._y=l*p*h+u*f*_,this._z=l*f*_-u*p*h,this._w=l*f*h-u*p*_;break;case"XZY":this._x=u*f*h-l*p*_,this._y=l*p*h-u*f*_,this._z=l*f*_+u*p*h,this._w=l*f*h+u*p*_;break;default:console.warn("THREE.Quaternion: .setFromEuler() encountered an unknown order: "+o)}return e===!0&&this._onChangeCallback(),this}setFromAxisAngle(t,e){const n=e/2,s=Math.sin(n);return this._x=t.x*s,this._y=t.y*s,this._z=t.z*s,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(t){const e=t.elements,n=e[0],s=e[4],r=e[8],o=e[1],a=e[5],c=e[9],l=e[2],f=e[6],h=e[10],u=n+a+h;if(u>0){const p=.5/Math.sqrt(u+1);this._w=.25/p,this._x=(f-c)*p,this._y=(r-l)*p,this._z=(o-s)*p}else if(n>a&&n>h){const p=2*Math.sqrt(1+n-a-h);this._w=(f-c)/p,this._x=.25*p,this._y=(s+o)/p,this._z=(r+l)/p}else if(a>h){const p=2*Math.sqrt(1+a-n-h);this._w=(r-l)/p,this._x=(s+o)/p,this._y=.25*p,this._z=(c+f)/p}else{const p=2*Math.sqrt(1+h-n-a);this._w=(o-s)/p,this._x=(r+l)/p,this._y=(c+f)/p,this._z=.25*p}return this._onChangeCallback(),this}setFromUnitVectors(t,e){let n=t.dot(e)+1;return n<1e-8?(n=0,Math.abs(t.x)>Math.abs(t.z)?(this._x=-t.y,this._y=t.x,this._z=0,this._w=n):(this._x=0,this._y=-t.z,this._z=t.y,this._w=n)):(this._x=t.y*e.z-t.z*e.y,this._y=t.z*e.x-t.x*e.z,this._z=t.x*e.y-t.y*e.x,this._w=n),this.normalize()}angleTo(t){return 2*Math.acos(Math.abs(le(this.dot(t),-1,1)))}rotateTowards(t,e){const n=this.angleTo(t);if(n===0)return this;const s=Math.min(1,e/n);return this.slerp(t,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(t){return this._x*t._x+this._y*t._y+this._z*t._z+this._w*t._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let t=this.length();return t===0?(this._x=0,this._y=0,this._z=0,this._w=1):(t=1/t,this._x=this._x*t,this._y=this._y*t,this._z=this._z*t,this._w=this._w*t),this._onChangeCallback(),this}multiply(t){return this.multiplyQuaternions(this,t)}premultiply(t){return this.multiplyQuaternions(t,this)}multiplyQuaternions(t,e){const n=t._x,s=t._y,r=t._z,o=t._w,a=e._x,c=e._y,l=e._z,f=e._w;return this._x=n*f+o*a+s*l-r*c,this._y=s*f+o*c+r*a-n*l,this._z=r*f+o*l+n*c-s*a,this._w=o*f-n*a-s*c-r*l,this._onChangeCallback(),this}slerp(t,e){if(e===0)return this;if(e===1)return this.copy(t);const n=this._x,s=this._y,r=this._z,o=this._w;let a=o*t._w+n*t._x+s*t._y+r*t._z;if(a<0?(this._w=-t._w,this._x=-t._x,this._y=-t._y,this._z=-t._z,a=-a):this.copy(t),a>=1)return this._w=o,this._x=n,this._y=s,this._z=r,this;const c=1-a*a;if(c<=Number.EPSILON){const p=1-e;return this._w=p*o+e*this._w,this._x=p*n+e*this._x,this._y=p*s+e*this._y,this._z=p*r+e*this._z,this.normalize(),this}const l=Math.sqrt(c),f=Math.atan2(l,a),h=Math.sin((1-e)*f)/l,u=Math.sin(e*f)/l;return this._w=o*h+this._w*u,this._x=n*h+this._x*u,this._y=s*h+this._y*u,this._z=r*h+this._z*u,this._onChangeCallback(),this}slerpQuaternions(t,e,n){return this.copy(t).slerp(e,n)}random(){const t=2*Math.PI*Math.random(),e=2*Math.PI*Math.random(),n=Math.random(),s=Math.sqrt(1-n),r=Math.sqrt(n);return this.set(s*Math.sin(t),s*Math.cos(t),r*Math.sin(e),r*Math.cos(e))}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._w===this._w}fromArray(t,e=0){return this._x=t[e],this._y=t[e+1],this._z=t[e+2],this._w=t[e+3],this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._w,t}fromBufferAttribute(t,e){return this._x=t.getX(e),this._y=t.getY(e),this._z=t.getZ(e),this._w=t.getW(e),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}}class N{constructor(t=0,e=0,n=0){N.prototype.isVector3=!0,this.x=t,this.y=e,this.z=n}set(t,e,n){return n===void 0&&(n=this.z),this.x=t,this.y=e,this.z=n,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;default:throw new Error("index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this}multiplyVectors(t,e){return this.x=t.x*e.x,this.y=t.y*e.y,this.z=t.z*e.z,this}applyEuler(t){return this.applyQuaternion(cu.setFromEuler(t))}applyAxisAngle(t,e){return this.applyQuaternion(cu.setFromAxisAngle(t,e))}applyMatrix3(t){const e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[3]*n+r[6]*s,this.y=r[1]*e+r[4]*n+r[7]*s,this.z=r[2]*e+r[5]*n+r[8]*s,this}applyNormalMatrix(t){return this.applyMatrix3(t).normalize()}applyMatrix4(t){const e=this.x,n=this.y,s=this.z,r=t.elements,o=1/(r[3]*e+r[7]*n+r[11]*s+r[15]);return this.x=(r[0]*e+r[4]*n+r[8]*s+r[12])*o,this.y=(r[1]*e+r[5]*n+r[9]*s+r[13])*o,this.z=(r[2]*e+r[6]*n+r[10]*s+r[14])*o,this}applyQuaternion(t){const e=this.x,n=this.y,s=this.z,r=t.x,o=t.y,a=t.z,c=t.w,l=2*(o*s-a*n),f=2*(a*e-r*s),h=2*(r*n-o*e);return this.x=e+c*l+o*h-a*f,this.y=n+c*f+a*l-r*h,this.z=s+c*h+r*f-o*l,this}project(t){return this.applyMatrix4(t.matrixWorldInverse).applyMatrix4(t.projectionMatrix)}unproject(t){return this.applyMatrix4(t.projectionMatrixInverse).applyMatrix4(t.matrixWorld)}transformDirection(t){const e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[4]*n+r[8]*s,this.y=r[1]*e+r[5]*n+r[9]*s,this.z=r[2]*e+r[6]*n+r[10]*s,this.normalize()}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this}divideScalar(t){return this.multiplyScalar(1/t)}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this}clamp(t,e){return this.x=le(this.x,t.x,e.x),this.y=le(this.y,t.y,e.y),this.z=le(this.z,t.z,e.z),this}clampScalar(t,e){return this.x=le(this.x,t,e),this.y=le(this.y,t,e),this.z=le(this.z,t,e),this}clampLength(t,e){const n=this.length();return this.divideScalar(n||1).multiplyScalar(le(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this}cross(t){return this.crossVectors(this,t)}crossVectors(t,e){const n=t.x,s=t.y,r=t.z,o=e.x,a=e.y,c=e.z;return this.x=s*c-r*a,this.y=r*o-n*c,this.z=n*a-s*o,this}projectOnVector(t){const e=t.lengthSq();if(e===0)return this.set(0,0,0);const n=t.dot(this)/e;return this.copy(t).multiplyScalar(n)}projectOnPlane(t){return cl.copy(this).projectOnVector(t),this.sub(cl)}reflect(t){return this.sub(cl.copy(t).multiplyScalar(2*this.dot(t)))}angleTo(t){const e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;const n=this.dot(t)/e;return Math.acos(le(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){const e=this.x-t.x,n=this.y-t.y,s=this.z-t.z;return e*e+n*n+s*s}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)+Math.abs(this.z-t.z)}setFromSpherical(t){return this.setFromSphericalCoords(t.radius,t.phi,t.theta)}setFromSphericalCoords(t,e,n){const s=Math.sin(e)*t;return this.x=s*Math.sin(n),this.y=Math.cos(e)*t,this.z=s*Math.cos(n),this}setFromCylindrical(t){return this.setFromCylindricalCoords(t.radius,t.theta,t.y)}setFromCylindricalCoords(t,e,n){return this.x=t*Math.sin(e),this.y=n,this.z=t*Math.cos(e),this}setFromMatrixPosition(t){const e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this}setFromMatrixScale(t){const e=this.setFromMatrixColumn(t,0).length(),n=this.setFromMatrixColumn(t,1).length(),s=this.setFromMatrixColumn(t,2).length();return this.x=e,this.y=n,this.z=s,this}setFromMatrixColumn(t,e){return this.fromArray(t.elements,e*4)}setFromMatrix3Column(t,e){return this.fromArray(t.elements,e*3)}setFromEuler(t){return this.x=t._x,this.y=t._y,this.z=t._z,this}setFromColor(t){return this.x=t.r,this.y=t.g,this.z=t.b,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){const t=Math.random()*Math.PI*2,e=Math.random()*2-1,n=Math.sqrt(1-e*e);return this.x=n*Math.cos(t),this.y=e,this.z=n*Math.sin(t),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}}const cl=new N,cu=new zn;class ie{constructor(t,e,n,s,r,o,a,c,l){ie.prototype.isMatrix3=!0,this.elements=[1,0,0,0,1,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,c,l)}set(t,e,n,s,r,o,a,c,l){const f=this.elements;return f[0]=t,f[1]=s,f[2]=a,f[3]=e,f[4]=r,f[5]=c,f[6]=n,f[7]=o,f[8]=l,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(t){const e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],this}extractBasis(t,e,n){return t.setFromMatrix3Column(this,0),e.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(t){const e=t.elements;return this.set(e[0],e[4],e[8],e[1],e[5],e[9],e[2],e[6],e[10]),this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){const n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[3],c=n[6],l=n[1],f=n[4],h=n[7],u=n[2],p=n[5],_=n[8],x=s[0],m=s[3],d=s[6],T=s[1],A=s[4],S=s[7],L=s[2],C=s[5],U=s[8];return r[0]=o*x+a*T+c*L,r[3]=o*m+a*A+c*C,r[6]=o*d+a*S+c*U,r[1]=l*x+f*T+h*L,r[4]=l*m+f*A+h*C,r[7]=l*d+f*S+h*U,r[2]=u*x+p*T+_*L,r[5]=u*m+p*A+_*C,r[8]=u*d+p*S+_*U,this}multiplyScalar(t){const e=this.elements;return e[0]*=t,e[3]*=t,e[6]*=t,e[1]*=t,e[4]*=t,e[7]*=t,e[2]*=t,e[5]*=t,e[8]*=t,this}determinant(){const t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],c=t[6],l=t[7],f=t[8];return e*o*f-e*a*l-n*r*f+n*a*c+s*r*l-s*o*c}invert(){const t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],c=t[6],l=t[7],f=t[8],h=f*o-a*l,u=a*c-f*r,p=l*r-o*c,_=e*h+n*u+s*p;if(_===0)return this.set(0,0,0,0,0,0,0,0,0);const x=1/_;return t[0]=h*x,t[1]=(s*l-f*n)*x,t[2]=(a*n-s*o)*x,t[3]=u*x,t[4]=(f*e-s*c)*x,t[5]=(s*r-a*e)*x,t[6]=p*x,t[7]=(n*c-l*e)*x,t[8]=(o*e-n*r)*x,this}transpose(){let t;const e=this.elements;return t=e[1],e[1]=e[3],e[3]=t,t=e[2],e[2]=e[6],e[6]=t,t=e[5],e[5]=e[7],e[7]=t,this}getNormalMatrix(t){return this.setFromMatrix4(t).invert().transpose()}transposeIntoArray(t){const e=this.elements;return t[0]=e[0],t[1]=e[3],t[2]=e[6],t[3]=e[1],t[4]=e[4],t[5]=e[7],t[6]=e[2],t[7]=e[5],t[8]=e[8],this}setUvTransform(t,e,n,s,r,o,a){const c=Math.cos(r),l=Math.sin(r);return this.set(n*c,n*l,-n*(c*o+l*a)+o+t,-s*l,s*c,-s*(-l*o+c*a)+a+e,0,0,1),this}scale(t,e){return this.premultiply(hl.makeScale(t,e)),this}rotate(t){return this.premultiply(hl.makeRotation(-t)),this}translate(t,e){return this.premultiply(hl.makeTranslation(t,e)),this}makeTranslation(t,e){return t.isVector2?this.set(1,0,t.x,0,1,t.y,0,0,1):this.set(1,0,t,0,1,e,0,0,1),this}makeRotation(t){const e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,n,e,0,0,0,1),this}makeScale(t,e){return this.set(t,0,0,0,e,0,0,0,1),this}equals(t){const e=this.elements,n=t.elements;for(let s=0;s<9;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<9;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){const n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t}clone(){return new this.constructor().fromArray(this.elements)}}const hl=new ie;function wd(i){for(let t=i.length-1;t>=0;--t)if(i[t]>=65535)return!0;return!1}function ba(i){return document.createElementNS("http://www.w3.org/1999/xhtml",i)}function Jm(){const i=ba("canvas");return i.style.display="block",i}const hu={};function yo(i){i in hu||(hu[i]=!0,console.warn(i))}function Qm(i,t,e){return new Promise(function(n,s){function r(){switch(i.clientWaitSync(t,i.SYNC_FLUSH_COMMANDS_BIT,0)){case i.WAIT_FAILED:s();break;case i.TIMEOUT_EXPIRED:setTimeout(r,e);break;default:n()}}setTimeout(r,e)})}const uu=new ie().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),fu=new ie().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function tg(){const i={enabled:!0,workingColorSpace:Rr,spaces:{},convert:function(s,r,o){return this.enabled===!1||r===o||!r||!o||(this.spaces[r].transfer===Ae&&(s.r=Xi(s.r),s.g=Xi(s.g),s.b=Xi(s.b)),this.spaces[r].primaries!==this.spaces[o].primaries&&(s.applyMatrix3(this.spaces[r].toXYZ),s.applyMatrix3(this.spaces[o].fromXYZ)),this.spaces[o].transfer===Ae&&(s.r=yr(s.r),s.g=yr(s.g),s.b=yr(s.b))),s},workingToColorSpace:function(s,r){return this.convert(s,this.workingColorSpace,r)},colorSpaceToWorking:function(s,r){return this.convert(s,r,this.workingColorSpace)},getPrimaries:function(s){return this.spaces[s].primaries},getTransfer:function(s){return s===as?ya:this.spaces[s].transfer},getToneMappingMode:function(s){return this.spaces[s].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(s,r=this.workingColorSpace){return s.fromArray(this.spaces[r].luminanceCoefficients)},define:function(s){Object.assign(this.spaces,s)},_getMatrix:function(s,r,o){return s.copy(this.spaces[r].toXYZ).multiply(this.spaces[o].fromXYZ)},_getDrawingBufferColorSpace:function(s){return this.spaces[s].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(s=this.workingColorSpace){return this.spaces[s].workingColorSpaceConfig.unpackColorSpace},fromWorkingColorSpace:function(s,r){return yo("THREE.ColorManagement: .fromWorkingColorSpace() has been renamed to .workingToColorSpace()."),i.workingToColorSpace(s,r)},toWorkingColorSpace:function(s,r){return yo("THREE.ColorManagement: .toWorkingColorSpace() has been renamed to .colorSpaceToWorking()."),i.colorSpaceToWorking(s,r)}},t=[.64,.33,.3,.6,.15,.06],e=[.2126,.7152,.0722],n=[.3127,.329];return i.define({[Rr]:{primaries:t,whitePoint:n,transfer:ya,toXYZ:uu,fromXYZ:fu,luminanceCoefficients:e,workingColorSpaceConfig:{unpackColorSpace:qn},outputColorSpaceConfig:{drawingBufferColorSpace:qn}},[qn]:{primaries:t,whitePoint:n,transfer:Ae,toXYZ:uu,fromXYZ:fu,luminanceCoefficients:e,outputColorSpaceConfig:{drawingBufferColorSpace:qn}}}),i}const me=tg();function Xi(i){return i<.04045?i*.0773993808:Math.pow(i*.9478672986+.0521327014,2.4)}function yr(i){return i<.0031308?i*12.92:1.055*Math.pow(i,.41666)-.055}let nr;class eg{static getDataURL(t,e="image/png"){if(/^data:/i.test(t.src)||typeof HTMLCanvasElement>"u")return t.src;let n;if(t instanceof HTMLCanvasElement)n=t;else{nr===void 0&&(nr=ba("canvas")),nr.width=t.width,nr.height=t.height;const s=nr.getContext("2d");t instanceof ImageData?s.putImageData(t,0,0):s.drawImage(t,0,0,t.width,t.height),n=nr}return n.toDataURL(e)}static sRGBToLinear(t){if(typeof HTMLImageElement<"u"&&t instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&t instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&t instanceof ImageBitmap){const e=ba("canvas");e.width=t.width,e.height=t.height;const n=e.getContext("2d");n.drawImage(t,0,0,t.width,t.height);const s=n.getImageData(0,0,t.width,t.height),r=s.data;for(let o=0;o<r.length;o++)r[o]=Xi(r[o]/255)*255;return n.putImageData(s,0,0),e}else if(t.data){const e=t.data.slice(0);for(let n=0;n<e.length;n++)e instanceof Uint8Array||e instanceof Uint8ClampedArray?e[n]=Math.floor(Xi(e[n]/255)*255):e[n]=Xi(e[n]);return{data:e,width:t.width,height:t.height}}else return console.warn("THREE.ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),t}}let ng=0;class dh{constructor(t=null){this.isSource=!0,Object.defineProperty(this,"id",{value:ng++}),this.uuid=wo(),this.data=t,this.dataReady=!0,this.version=0}getSize(t){const e=this.data;return typeof HTMLVideoElement<"u"&&e instanceof HTMLVideoElement?t.set(e.videoWidth,e.videoHeight,0):e instanceof VideoFrame?t.set(e.displayHeight,e.displayWidth,0):e!==null?t.set(e.width,e.height,e.depth||0):t.set(0,0,0),t}set needsUpdate(t){t===!0&&this.version++}toJSON(t){const e=t===void 0||typeof t=="string";if(!e&&t.images[this.uuid]!==void 0)return t.images[this.uuid];const n={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let o=0,a=s.length;o<a;o++)s[o].isDataTexture?r.push(ul(s[o].image)):r.push(ul(s[o]))}else r=ul(s);n.url=r}return e||(t.images[this.uuid]=n),n}}function ul(i){return typeof HTMLImageElement<"u"&&i instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&i instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&i instanceof ImageBitmap?eg.getDataURL(i):i.data?{data:Array.from(i.data),width:i.width,height:i.height,type:i.data.constructor.name}:(console.warn("THREE.Texture: Unable to serialize Texture."),{})}let ig=0;const fl=new N;class Pn extends Gs{constructor(t=Pn.DEFAULT_IMAGE,e=Pn.DEFAULT_MAPPING,n=Is,s=Is,r=_i,o=Ns,a=vi,c=Li,l=Pn.DEFAULT_ANISOTROPY,f=as){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:ig++}),this.uuid=wo(),this.name="",this.source=new dh(t),this.mipmaps=[],this.mapping=e,this.channel=0,this.wrapS=n,this.wrapT=s,this.magFilter=r,this.minFilter=o,this.anisotropy=l,this.format=a,this.internalFormat=null,this.type=c,this.offset=new Qt(0,0),this.repeat=new Qt(1,1),this.center=new Qt(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new ie,this.generateMipmaps=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=f,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(t&&t.depth&&t.depth>1),this.pmremVersion=0}get width(){return this.source.getSize(fl).x}get height(){return this.source.getSize(fl).y}get depth(){return this.source.getSize(fl).z}get image(){return this.source.data}set image(t=null){this.source.data=t}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(t){return this.name=t.name,this.source=t.source,this.mipmaps=t.mipmaps.slice(0),this.mapping=t.mapping,this.channel=t.channel,this.wrapS=t.wrapS,this.wrapT=t.wrapT,this.magFilter=t.magFilter,this.minFilter=t.minFilter,this.anisotropy=t.anisotropy,this.format=t.format,this.internalFormat=t.internalFormat,this.type=t.type,this.offset.copy(t.offset),this.repeat.copy(t.repeat),this.center.copy(t.center),this.rotation=t.rotation,this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrix.copy(t.matrix),this.generateMipmaps=t.generateMipmaps,this.premultiplyAlpha=t.premultiplyAlpha,this.flipY=t.flipY,this.unpackAlignment=t.unpackAlignment,this.colorSpace=t.colorSpace,this.renderTarget=t.renderTarget,this.isRenderTargetTexture=t.isRenderTargetTexture,this.isArrayTexture=t.isArrayTexture,this.userData=JSON.parse(JSON.stringify(t.userData)),this.needsUpdate=!0,this}setValues(t){for(const e in t){const n=t[e];if(n===void 0){console.warn(`THREE.Texture.setValues(): parameter '${e}' has value of undefined.`);continue}const s=this[e];if(s===void 0){console.warn(`THREE.Texture.setValues(): property '${e}' does not exist.`);continue}s&&n&&s.isVector2&&n.isVector2||s&&n&&s.isVector3&&n.isVector3||s&&n&&s.isMatrix3&&n.isMatrix3?s.copy(n):this[e]=n}}toJSON(t){const e=t===void 0||typeof t=="string";if(!e&&t.textures[this.uuid]!==void 0)return t.textures[this.uuid];const n={metadata:{version:4.7,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(t).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),e||(t.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(t){if(this.mapping!==_d)return t;if(t.applyMatrix3(this.matrix),t.x<0||t.x>1)switch(this.wrapS){case hc:t.x=t.x-Math.floor(t.x);break;case Is:t.x=t.x<0?0:1;break;case uc:Math.abs(Math.floor(t.x)%2)===1?t.x=Math.ceil(t.x)-t.x:t.x=t.x-Math.floor(t.x);break}if(t.y<0||t.y>1)switch(this.wrapT){case hc:t.y=t.y-Math.floor(t.y);break;case Is:t.y=t.y<0?0:1;break;case uc:Math.abs(Math.floor(t.y)%2)===1?t.y=Math.ceil(t.y)-t.y:t.y=t.y-Math.floor(t.y);break}return this.flipY&&(t.y=1-t.y),t}set needsUpdate(t){t===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(t){t===!0&&this.pmremVersion++}}Pn.DEFAULT_IMAGE=null;Pn.DEFAULT_MAPPING=_d;Pn.DEFAULT_ANISOTROPY=1;class Xe{constructor(t=0,e=0,n=0,s=1){Xe.prototype.isVector4=!0,this.x=t,this.y=e,this.z=n,this.w=s}get width(){return this.z}set width(t){this.z=t}get height(){return this.w}set height(t){this.w=t}set(t,e,n,s){return this.x=t,this.y=e,this.z=n,this.w=s,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this.w=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setW(t){return this.w=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;case 3:this.w=e;break;default:throw new Error("index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this.w=t.w!==void 0?t.w:1,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this.w+=t.w,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this.w+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this.w=t.w+e.w,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this.w+=t.w*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this.w-=t.w,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this.w-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this.w=t.w-e.w,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this.w*=t.w,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this.w*=t,this}applyMatrix4(t){const e=this.x,n=this.y,s=this.z,r=this.w,o=t.elements;return this.x=o[0]*e+o[4]*n+o[8]*s+o[12]*r,this.y=o[1]*e+o[5]*n+o[9]*s+o[13]*r,this.z=o[2]*e+o[6]*n+o[10]*s+o[14]*r,this.w=o[3]*e+o[7]*n+o[11]*s+o[15]*r,this}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this.w/=t.w,this}divideScalar(t){return this.multiplyScalar(1/t)}setAxisAngleFromQuaternion(t){this.w=2*Math.acos(t.w);const e=Math.sqrt(1-t.w*t.w);return e<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=t.x/e,this.y=t.y/e,this.z=t.z/e),this}setAxisAngleFromRotationMatrix(t){let e,n,s,r;const c=t.elements,l=c[0],f=c[4],h=c[8],u=c[1],p=c[5],_=c[9],x=c[2],m=c[6],d=c[10];if(Math.abs(f-u)<.01&&Math.abs(h-x)<.01&&Math.abs(_-m)<.01){if(Math.abs(f+u)<.1&&Math.abs(h+x)<.1&&Math.abs(_+m)<.1&&Math.abs(l+p+d-3)<.1)return this.set(1,0,0,0),this;e=Math.PI;const A=(l+1)/2,S=(p+1)/2,L=(d+1)/2,C=(f+u)/4,U=(h+x)/4,O=(_+m)/4;return A>S&&A>L?A<.01?(n=0,s=.707106781,r=.707106781):(n=Math.sqrt(A),s=C/n,r=U/n):S>L?S<.01?(n=.707106781,s=0,r=.707106781):(s=Math.sqrt(S),n=C/s,r=O/s):L<.01?(n=.707106781,s=.707106781,r=0):(r=Math.sqrt(L),n=U/r,s=O/r),this.set(n,s,r,e),this}let T=Math.sqrt((m-_)*(m-_)+(h-x)*(h-x)+(u-f)*(u-f));return Math.abs(T)<.001&&(T=1),this.x=(m-_)/T,this.y=(h-x)/T,this.z=(u-f)/T,this.w=Math.acos((l+p+d-1)/2),this}setFromMatrixPosition(t){const e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this.w=e[15],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this.w=Math.min(this.w,t.w),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this.w=Math.max(this.w,t.w),this}clamp(t,e){return this.x=le(this.x,t.x,e.x),this.y=le(this.y,t.y,e.y),this.z=le(this.z,t.z,e.z),this.w=le(this.w,t.w,e.w),this}clampScalar(t,e){return this.x=le(this.x,t,e),this.y=le(this.y,t,e),this.z=le(this.z,t,e),this.w=le(this.w,t,e),this}clampLength(t,e){const n=this.length();return this.divideScalar(n||1).multiplyScalar(le(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z+this.w*t.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this.w+=(t.w-this.w)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this.w=t.w+(e.w-t.w)*n,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z&&t.w===this.w}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this.w=t[e+3],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t[e+3]=this.w,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this.w=t.getW(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}}class sg extends Gs{constructor(t=1,e=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:_i,depthBuffer:!0,stencilBuffer:!1,resolveDepthBuffer:!0,resolveStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1},n),this.isRenderTarget=!0,this.width=t,this.height=e,this.depth=n.depth,this.scissor=new Xe(0,0,t,e),this.scissorTest=!1,this.viewport=new Xe(0,0,t,e);const s={width:t,height:e,depth:n.depth},r=new Pn(s);this.textures=[];const o=n.count;for(let a=0;a<o;a++)this.textures[a]=r.clone(),this.textures[a].isRenderTargetTexture=!0,this.textures[a].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview}_setTextureOptions(t={}){const e={minFilter:_i,generateMipmaps:!1,flipY:!1,internalFormat:null};t.mapping!==void 0&&(e.mapping=t.mapping),t.wrapS!==void 0&&(e.wrapS=t.wrapS),t.wrapT!==void 0&&(e.wrapT=t.wrapT),t.wrapR!==void 0&&(e.wrapR=t.wrapR),t.magFilter!==void 0&&(e.magFilter=t.magFilter),t.minFilter!==void 0&&(e.minFilter=t.minFilter),t.format!==void 0&&(e.format=t.format),t.type!==void 0&&(e.type=t.type),t.anisotropy!==void 0&&(e.anisotropy=t.anisotropy),t.colorSpace!==void 0&&(e.colorSpace=t.colorSpace),t.flipY!==void 0&&(e.flipY=t.flipY),t.generateMipmaps!==void 0&&(e.generateMipmaps=t.generateMipmaps),t.internalFormat!==void 0&&(e.internalFormat=t.internalFormat);for(let n=0;n<this.textures.length;n++)this.textures[n].setValues(e)}get texture(){return this.textures[0]}set texture(t){this.textures[0]=t}set depthTexture(t){this._depthTexture!==null&&(this._depthTexture.renderTarget=null),t!==null&&(t.renderTarget=this),this._depthTexture=t}get depthTexture(){return this._depthTexture}setSize(t,e,n=1){if(this.width!==t||this.height!==e||this.depth!==n){this.width=t,this.height=e,this.depth=n;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=t,this.textures[s].image.height=e,this.textures[s].image.depth=n,this.textures[s].isArrayTexture=this.textures[s].image.depth>1;this.dispose()}this.viewport.set(0,0,t,e),this.scissor.set(0,0,t,e)}clone(){return new this.constructor().copy(this)}copy(t){this.width=t.width,this.height=t.height,this.depth=t.depth,this.scissor.copy(t.scissor),this.scissorTest=t.scissorTest,this.viewport.copy(t.viewport),this.textures.length=0;for(let e=0,n=t.textures.length;e<n;e++){this.textures[e]=t.textures[e].clone(),this.textures[e].isRenderTargetTexture=!0,this.textures[e].renderTarget=this;const s=Object.assign({},t.textures[e].image);this.textures[e].source=new dh(s)}return this.depthBuffer=t.depthBuffer,this.stencilBuffer=t.stencilBuffer,this.resolveDepthBuffer=t.resolveDepthBuffer,this.resolveStencilBuffer=t.resolveStencilBuffer,t.depthTexture!==null&&(this.depthTexture=t.depthTexture.clone()),this.samples=t.samples,this}dispose(){this.dispatchEvent({type:"dispose"})}}class zs extends sg{constructor(t=1,e=1,n={}){super(t,e,n),this.isWebGLRenderTarget=!0}}class Ad extends Pn{constructor(t=null,e=1,n=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=Kn,this.minFilter=Kn,this.wrapR=Is,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}addLayerUpdate(t){this.layerUpdates.add(t)}clearLayerUpdates(){this.layerUpdates.clear()}}class rg extends Pn{constructor(t=null,e=1,n=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=Kn,this.minFilter=Kn,this.wrapR=Is,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}}class Di{constructor(t=new N(1/0,1/0,1/0),e=new N(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=t,this.max=e}set(t,e){return this.min.copy(t),this.max.copy(e),this}setFromArray(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e+=3)this.expandByPoint(hi.fromArray(t,e));return this}setFromBufferAttribute(t){this.makeEmpty();for(let e=0,n=t.count;e<n;e++)this.expandByPoint(hi.fromBufferAttribute(t,e));return this}setFromPoints(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e++)this.expandByPoint(t[e]);return this}setFromCenterAndSize(t,e){const n=hi.copy(e).multiplyScalar(.5);return this.min.copy(t).sub(n),this.max.copy(t).add(n),this}setFromObject(t,e=!1){return this.makeEmpty(),this.expandByObject(t,e)}clone(){return new this.constructor().copy(this)}copy(t){return this.min.copy(t.min),this.max.copy(t.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(t){return this.isEmpty()?t.set(0,0,0):t.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(t){return this.isEmpty()?t.set(0,0,0):t.subVectors(this.max,this.min)}expandByPoint(t){return this.min.min(t),this.max.max(t),this}expandByVector(t){return this.min.sub(t),this.max.add(t),this}expandByScalar(t){return this.min.addScalar(-t),this.max.addScalar(t),this}expandByObject(t,e=!1){t.updateWorldMatrix(!1,!1);const n=t.geometry;if(n!==void 0){const r=n.getAttribute("position");if(e===!0&&r!==void 0&&t.isInstancedMesh!==!0)for(let o=0,a=r.count;o<a;o++)t.isMesh===!0?t.getVertexPosition(o,hi):hi.fromBufferAttribute(r,o),hi.applyMatrix4(t.matrixWorld),this.expandByPoint(hi);else t.boundingBox!==void 0?(t.boundingBox===null&&t.computeBoundingBox(),No.copy(t.boundingBox)):(n.boundingBox===null&&n.computeBoundingBox(),No.copy(n.boundingBox)),No.applyMatrix4(t.matrixWorld),this.union(No)}const s=t.children;for(let r=0,o=s.length;r<o;r++)this.expandByObject(s[r],e);return this}containsPoint(t){return t.x>=this.min.x&&t.x<=this.max.x&&t.y>=this.min.y&&t.y<=this.max.y&&t.z>=this.min.z&&t.z<=this.max.z}containsBox(t){return this.min.x<=t.min.x&&t.max.x<=this.max.x&&this.min.y<=t.min.y&&t.max.y<=this.max.y&&this.min.z<=t.min.z&&t.max.z<=this.max.z}getParameter(t,e){return e.set((t.x-this.min.x)/(this.max.x-this.min.x),(t.y-this.min.y)/(this.max.y-this.min.y),(t.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(t){return t.max.x>=this.min.x&&t.min.x<=this.max.x&&t.max.y>=this.min.y&&t.min.y<=this.max.y&&t.max.z>=this.min.z&&t.min.z<=this.max.z}intersectsSphere(t){return this.clampPoint(t.center,hi),hi.distanceToSquared(t.center)<=t.radius*t.radius}intersectsPlane(t){let e,n;return t.normal.x>0?(e=t.normal.x*this.min.x,n=t.normal.x*this.max.x):(e=t.normal.x*this.max.x,n=t.normal.x*this.min.x),t.normal.y>0?(e+=t.normal.y*this.min.y,n+=t.normal.y*this.max.y):(e+=t.normal.y*this.max.y,n+=t.normal.y*this.min.y),t.normal.z>0?(e+=t.normal.z*this.min.z,n+=t.normal.z*this.max.z):(e+=t.normal.z*this.max.z,n+=t.normal.z*this.min.z),e<=-t.constant&&n>=-t.constant}intersectsTriangle(t){if(this.isEmpty())return!1;this.getCenter($r),Fo.subVectors(this.max,$r),ir.subVectors(t.a,$r),sr.subVectors(t.b,$r),rr.subVectors(t.c,$r),ts.subVectors(sr,ir),es.subVectors(rr,sr),ys.subVectors(ir,rr);let e=[0,-ts.z,ts.y,0,-es.z,es.y,0,-ys.z,ys.y,ts.z,0,-ts.x,es.z,0,-es.x,ys.z,0,-ys.x,-ts.y,ts.x,0,-es.y,es.x,0,-ys.y,ys.x,0];return!dl(e,ir,sr,rr,Fo)||(e=[1,0,0,0,1,0,0,0,1],!dl(e,ir,sr,rr,Fo))?!1:(Oo.crossVectors(ts,es),e=[Oo.x,Oo.y,Oo.z],dl(e,ir,sr,rr,Fo))}clampPoint(t,e){return e.copy(t).clamp(this.min,this.max)}distanceToPoint(t){return this.clampPoint(t,hi).distanceTo(t)}getBoundingSphere(t){return this.isEmpty()?t.makeEmpty():(this.getCenter(t.center),t.radius=this.getSize(hi).length()*.5),t}intersect(t){return this.min.max(t.min),this.max.min(t.max),this.isEmpty()&&this.makeEmpty(),this}union(t){return this.min.min(t.min),this.max.max(t.max),this}applyMatrix4(t){return this.isEmpty()?this:(Fi[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(t),Fi[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(t),Fi[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(t),Fi[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(t),Fi[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(t),Fi[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(t),Fi[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(t),Fi[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(t),this.setFromPoints(Fi),this)}translate(t){return this.min.add(t),this.max.add(t),this}equals(t){return t.min.equals(this.min)&&t.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(t){return this.min.fromArray(t.min),this.max.fromArray(t.max),this}}const Fi=[new N,new N,new N,new N,new N,new N,new N,new N],hi=new N,No=new Di,ir=new N,sr=new N,rr=new N,ts=new N,es=new N,ys=new N,$r=new N,Fo=new N,Oo=new N,Es=new N;function dl(i,t,e,n,s){for(let r=0,o=i.length-3;r<=o;r+=3){Es.fromArray(i,r);const a=s.x*Math.abs(Es.x)+s.y*Math.abs(Es.y)+s.z*Math.abs(Es.z),c=t.dot(Es),l=e.dot(Es),f=n.dot(Es);if(Math.max(-Math.max(c,l,f),Math.min(c,l,f))>a)return!1}return!0}const og=new Di,Zr=new N,pl=new N;class Fr{constructor(t=new N,e=-1){this.isSphere=!0,this.center=t,this.radius=e}set(t,e){return this.center.copy(t),this.radius=e,this}setFromPoints(t,e){const n=this.center;e!==void 0?n.copy(e):og.setFromPoints(t).getCenter(n);let s=0;for(let r=0,o=t.length;r<o;r++)s=Math.max(s,n.distanceToSquared(t[r]));return this.radius=Math.sqrt(s),this}copy(t){return this.center.copy(t.center),this.radius=t.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(t){return t.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(t){return t.distanceTo(this.center)-this.radius}intersectsSphere(t){const e=this.radius+t.radius;return t.center.distanceToSquared(this.center)<=e*e}intersectsBox(t){return t.intersectsSphere(this)}intersectsPlane(t){return Math.abs(t.distanceToPoint(this.center))<=this.radius}clampPoint(t,e){const n=this.center.distanceToSquared(t);return e.copy(t),n>this.radius*this.radius&&(e.sub(this.center).normalize(),e.multiplyScalar(this.radius).add(this.center)),e}getBoundingBox(t){return this.isEmpty()?(t.makeEmpty(),t):(t.set(this.center,this.center),t.expandByScalar(this.radius),t)}applyMatrix4(t){return this.center.applyMatrix4(t),this.radius=this.radius*t.getMaxScaleOnAxis(),this}translate(t){return this.center.add(t),this}expandByPoint(t){if(this.isEmpty())return this.center.copy(t),this.radius=0,this;Zr.subVectors(t,this.center);const e=Zr.lengthSq();if(e>this.radius*this.radius){const n=Math.sqrt(e),s=(n-this.radius)*.5;this.center.addScaledVector(Zr,s/n),this.radius+=s}return this}union(t){return t.isEmpty()?this:this.isEmpty()?(this.copy(t),this):(this.center.equals(t.center)===!0?this.radius=Math.max(this.radius,t.radius):(pl.subVectors(t.center,this.center).setLength(t.radius),this.expandByPoint(Zr.copy(t.center).add(pl)),this.expandByPoint(Zr.copy(t.center).sub(pl))),this)}equals(t){return t.center.equals(this.center)&&t.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(t){return this.radius=t.radius,this.center.fromArray(t.center),this}}const Oi=new N,ml=new N,Bo=new N,ns=new N,gl=new N,zo=new N,_l=new N;class Fa{constructor(t=new N,e=new N(0,0,-1)){this.origin=t,this.direction=e}set(t,e){return this.origin.copy(t),this.direction.copy(e),this}copy(t){return this.origin.copy(t.origin),this.direction.copy(t.direction),this}at(t,e){return e.copy(this.origin).addScaledVector(this.direction,t)}lookAt(t){return this.direction.copy(t).sub(this.origin).normalize(),this}recast(t){return this.origin.copy(this.at(t,Oi)),this}closestPointToPoint(t,e){e.subVectors(t,this.origin);const n=e.dot(this.direction);return n<0?e.copy(this.origin):e.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(t){return Math.sqrt(this.distanceSqToPoint(t))}distanceSqToPoint(t){const e=Oi.subVectors(t,this.origin).dot(this.direction);return e<0?this.origin.distanceToSquared(t):(Oi.copy(this.origin).addScaledVector(this.direction,e),Oi.distanceToSquared(t))}distanceSqToSegment(t,e,n,s){ml.copy(t).add(e).multiplyScalar(.5),Bo.copy(e).sub(t).normalize(),ns.copy(this.origin).sub(ml);const r=t.distanceTo(e)*.5,o=-this.direction.dot(Bo),a=ns.dot(this.direction),c=-ns.dot(Bo),l=ns.lengthSq(),f=Math.abs(1-o*o);let h,u,p,_;if(f>0)if(h=o*c-a,u=o*a-c,_=r*f,h>=0)if(u>=-_)if(u<=_){const x=1/f;h*=x,u*=x,p=h*(h+o*u+2*a)+u*(o*h+u+2*c)+l}else u=r,h=Math.max(0,-(o*u+a)),p=-h*h+u*(u+2*c)+l;else u=-r,h=Math.max(0,-(o*u+a)),p=-h*h+u*(u+2*c)+l;else u<=-_?(h=Math.max(0,-(-o*r+a)),u=h>0?-r:Math.min(Math.max(-r,-c),r),p=-h*h+u*(u+2*c)+l):u<=_?(h=0,u=Math.min(Math.max(-r,-c),r),p=u*(u+2*c)+l):(h=Math.max(0,-(o*r+a)),u=h>0?r:Math.min(Math.max(-r,-c),r),p=-h*h+u*(u+2*c)+l);else u=o>0?-r:r,h=Math.max(0,-(o*u+a)),p=-h*h+u*(u+2*c)+l;return n&&n.copy(this.origin).addScaledVector(this.direction,h),s&&s.copy(ml).addScaledVector(Bo,u),p}intersectSphere(t,e){Oi.subVectors(t.center,this.origin);const n=Oi.dot(this.direction),s=Oi.dot(Oi)-n*n,r=t.radius*t.radius;if(s>r)return null;const o=Math.sqrt(r-s),a=n-o,c=n+o;return c<0?null:a<0?this.at(c,e):this.at(a,e)}intersectsSphere(t){return t.radius<0?!1:this.distanceSqToPoint(t.center)<=t.radius*t.radius}distanceToPlane(t){const e=t.normal.dot(this.direction);if(e===0)return t.distanceToPoint(this.origin)===0?0:null;const n=-(this.origin.dot(t.normal)+t.constant)/e;return n>=0?n:null}intersectPlane(t,e){const n=this.distanceToPlane(t);return n===null?null:this.at(n,e)}intersectsPlane(t){const e=t.distanceToPoint(this.origin);return e===0||t.normal.dot(this.direction)*e<0}intersectBox(t,e){let n,s,r,o,a,c;const l=1/this.direction.x,f=1/this.direction.y,h=1/this.direction.z,u=this.origin;return l>=0?(n=(t.min.x-u.x)*l,s=(t.max.x-u.x)*l):(n=(t.max.x-u.x)*l,s=(t.min.x-u.x)*l),f>=0?(r=(t.min.y-u.y)*f,o=(t.max.y-u.y)*f):(r=(t.max.y-u.y)*f,o=(t.min.y-u.y)*f),n>o||r>s||((r>n||isNaN(n))&&(n=r),(o<s||isNaN(s))&&(s=o),h>=0?(a=(t.min.z-u.z)*h,c=(t.max.z-u.z)*h):(a=(t.max.z-u.z)*h,c=(t.min.z-u.z)*h),n>c||a>s)||((a>n||n!==n)&&(n=a),(c<s||s!==s)&&(s=c),s<0)?null:this.at(n>=0?n:s,e)}intersectsBox(t){return this.intersectBox(t,Oi)!==null}intersectTriangle(t,e,n,s,r){gl.subVectors(e,t),zo.subVectors(n,t),_l.crossVectors(gl,zo);let o=this.direction.dot(_l),a;if(o>0){if(s)return null;a=1}else if(o<0)a=-1,o=-o;else return null;ns.subVectors(this.origin,t);const c=a*this.direction.dot(zo.crossVectors(ns,zo));if(c<0)return null;const l=a*this.direction.dot(gl.cross(ns));if(l<0||c+l>o)return null;const f=-a*ns.dot(_l);return f<0?null:this.at(f/o,r)}applyMatrix4(t){return this.origin.applyMatrix4(t),this.direction.transformDirection(t),this}equals(t){return t.origin.equals(this.origin)&&t.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}}class ye{constructor(t,e,n,s,r,o,a,c,l,f,h,u,p,_,x,m){ye.prototype.isMatrix4=!0,this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,c,l,f,h,u,p,_,x,m)}set(t,e,n,s,r,o,a,c,l,f,h,u,p,_,x,m){const d=this.elements;return d[0]=t,d[4]=e,d[8]=n,d[12]=s,d[1]=r,d[5]=o,d[9]=a,d[13]=c,d[2]=l,d[6]=f,d[10]=h,d[14]=u,d[3]=p,d[7]=_,d[11]=x,d[15]=m,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new ye().fromArray(this.elements)}copy(t){const e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],e[9]=n[9],e[10]=n[10],e[11]=n[11],e[12]=n[12],e[13]=n[13],e[14]=n[14],e[15]=n[15],this}copyPosition(t){const e=this.elements,n=t.elements;return e[12]=n[12],e[13]=n[13],e[14]=n[14],this}setFromMatrix3(t){const e=t.elements;return this.set(e[0],e[3],e[6],0,e[1],e[4],e[7],0,e[2],e[5],e[8],0,0,0,0,1),this}extractBasis(t,e,n){return t.setFromMatrixColumn(this,0),e.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this}makeBasis(t,e,n){return this.set(t.x,e.x,n.x,0,t.y,e.y,n.y,0,t.z,e.z,n.z,0,0,0,0,1),this}extractRotation(t){const e=this.elements,n=t.elements,s=1/or.setFromMatrixColumn(t,0).length(),r=1/or.setFromMatrixColumn(t,1).length(),o=1/or.setFromMatrixColumn(t,2).length();return e[0]=n[0]*s,e[1]=n[1]*s,e[2]=n[2]*s,e[3]=0,e[4]=n[4]*r,e[5]=n[5]*r,e[6]=n[6]*r,e[7]=0,e[8]=n[8]*o,e[9]=n[9]*o,e[10]=n[10]*o,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromEuler(t){const e=this.elements,n=t.x,s=t.y,r=t.z,o=Math.cos(n),a=Math.sin(n),c=Math.cos(s),l=Math.sin(s),f=Math.cos(r),h=Math.sin(r);if(t.order==="XYZ"){const u=o*f,p=o*h,_=a*f,x=a*h;e[0]=c*f,e[4]=-c*h,e[8]=l,e[1]=p+_*l,e[5]=u-x*l,e[9]=-a*c,e[2]=x-u*l,e[6]=_+p*l,e[10]=o*c}else if(t.order==="YXZ"){const u=c*f,p=c*h,_=l*f,x=l*h;e[0]=u+x*a,e[4]=_*a-p,e[8]=o*l,e[1]=o*h,e[5]=o*f,e[9]=-a,e[2]=p*a-_,e[6]=x+u*a,e[10]=o*c}else if(t.order==="ZXY"){const u=c*f,p=c*h,_=l*f,x=l*h;e[0]=u-x*a,e[4]=-o*h,e[8]=_+p*a,e[1]=p+_*a,e[5]=o*f,e[9]=x-u*a,e[2]=-o*l,e[6]=a,e[10]=o*c}else if(t.order==="ZYX"){const u=o*f,p=o*h,_=a*f,x=a*h;e[0]=c*f,e[4]=_*l-p,e[8]=u*l+x,e[1]=c*h,e[5]=x*l+u,e[9]=p*l-_,e[2]=-l,e[6]=a*c,e[10]=o*c}else if(t.order==="YZX"){const u=o*c,p=o*l,_=a*c,x=a*l;e[0]=c*f,e[4]=x-u*h,e[8]=_*h+p,e[1]=h,e[5]=o*f,e[9]=-a*f,e[2]=-l*f,e[6]=p*h+_,e[10]=u-x*h}else if(t.order==="XZY"){const u=o*c,p=o*l,_=a*c,x=a*l;e[0]=c*f,e[4]=-h,e[8]=l*f,e[1]=u*h+x,e[5]=o*f,e[9]=p*h-_,e[2]=_*h-p,e[6]=a*f,e[10]=x*h+u}return e[3]=0,e[7]=0,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromQuaternion(t){return this.compose(ag,t,lg)}lookAt(t,e,n){const s=this.elements;return Wn.subVectors(t,e),Wn.lengthSq()===0&&(Wn.z=1),Wn.normalize(),is.crossVectors(n,Wn),is.lengthSq()===0&&(Math.abs(n.z)===1?Wn.x+=1e-4:Wn.z+=1e-4,Wn.normalize(),is.crossVectors(n,Wn)),is.normalize(),ko.crossVectors(Wn,is),s[0]=is.x,s[4]=ko.x,s[8]=Wn.x,s[1]=is.y,s[5]=ko.y,s[9]=Wn.y,s[2]=is.z,s[6]=ko.z,s[10]=Wn.z,this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){const n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[4],c=n[8],l=n[12],f=n[1],h=n[5],u=n[9],p=n[13],_=n[2],x=n[6],m=n[10],d=n[14],T=n[3],A=n[7],S=n[11],L=n[15],C=s[0],U=s[4],O=s[8],b=s[12],E=s[1],R=s[5],k=s[9],V=s[13],Y=s[2],W=s[6],K=s[10],q=s[14],J=s[3],ot=s[7],at=s[11],_t=s[15];return r[0]=o*C+a*E+c*Y+l*J,r[4]=o*U+a*R+c*W+l*ot,r[8]=o*O+a*k+c*K+l*at,r[12]=o*b+a*V+c*q+l*_t,r[1]=f*C+h*E+u*Y+p*J,r[5]=f*U+h*R+u*W+p*ot,r[9]=f*O+h*k+u*K+p*at,r[13]=f*b+h*V+u*q+p*_t,r[2]=_*C+x*E+m*Y+d*J,r[6]=_*U+x*R+m*W+d*ot,r[10]=_*O+x*k+m*K+d*at,r[14]=_*b+x*V+m*q+d*_t,r[3]=T*C+A*E+S*Y+L*J,r[7]=T*U+A*R+S*W+L*ot,r[11]=T*O+A*k+S*K+L*at,r[15]=T*b+A*V+S*q+L*_t,this}multiplyScalar(t){const e=this.elements;return e[0]*=t,e[4]*=t,e[8]*=t,e[12]*=t,e[1]*=t,e[5]*=t,e[9]*=t,e[13]*=t,e[2]*=t,e[6]*=t,e[10]*=t,e[14]*=t,e[3]*=t,e[7]*=t,e[11]*=t,e[15]*=t,this}determinant(){const t=this.elements,e=t[0],n=t[4],s=t[8],r=t[12],o=t[1],a=t[5],c=t[9],l=t[13],f=t[2],h=t[6],u=t[10],p=t[14],_=t[3],x=t[7],m=t[11],d=t[15];return _*(+r*c*h-s*l*h-r*a*u+n*l*u+s*a*p-n*c*p)+x*(+e*c*p-e*l*u+r*o*u-s*o*p+s*l*f-r*c*f)+m*(+e*l*h-e*a*p-r*o*h+n*o*p+r*a*f-n*l*f)+d*(-s*a*f-e*c*h+e*a*u+s*o*h-n*o*u+n*c*f)}transpose(){const t=this.elements;let e;return e=t[1],t[1]=t[4],t[4]=e,e=t[2],t[2]=t[8],t[8]=e,e=t[6],t[6]=t[9],t[9]=e,e=t[3],t[3]=t[12],t[12]=e,e=t[7],t[7]=t[13],t[13]=e,e=t[11],t[11]=t[14],t[14]=e,this}setPosition(t,e,n){const s=this.elements;return t.isVector3?(s[12]=t.x,s[13]=t.y,s[14]=t.z):(s[12]=t,s[13]=e,s[14]=n),this}invert(){const t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],c=t[6],l=t[7],f=t[8],h=t[9],u=t[10],p=t[11],_=t[12],x=t[13],m=t[14],d=t[15],T=h*m*l-x*u*l+x*c*p-a*m*p-h*c*d+a*u*d,A=_*u*l-f*m*l-_*c*p+o*m*p+f*c*d-o*u*d,S=f*x*l-_*h*l+_*a*p-o*x*p-f*a*d+o*h*d,L=_*h*c-f*x*c-_*a*u+o*x*u+f*a*m-o*h*m,C=e*T+n*A+s*S+r*L;if(C===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);const U=1/C;return t[0]=T*U,t[1]=(x*u*r-h*m*r-x*s*p+n*m*p+h*s*d-n*u*d)*U,t[2]=(a*m*r-x*c*r+x*s*l-n*m*l-a*s*d+n*c*d)*U,t[3]=(h*c*r-a*u*r-h*s*l+n*u*l+a*s*p-n*c*p)*U,t[4]=A*U,t[5]=(f*m*r-_*u*r+_*s*p-e*m*p-f*s*d+e*u*d)*U,t[6]=(_*c*r-o*m*r-_*s*l+e*m*l+o*s*d-e*c*d)*U,t[7]=(o*u*r-f*c*r+f*s*l-e*u*l-o*s*p+e*c*p)*U,t[8]=S*U,t[9]=(_*h*r-f*x*r-_*n*p+e*x*p+f*n*d-e*h*d)*U,t[10]=(o*x*r-_*a*r+_*n*l-e*x*l-o*n*d+e*a*d)*U,t[11]=(f*a*r-o*h*r-f*n*l+e*h*l+o*n*p-e*a*p)*U,t[12]=L*U,t[13]=(f*x*s-_*h*s+_*n*u-e*x*u-f*n*m+e*h*m)*U,t[14]=(_*a*s-o*x*s-_*n*c+e*x*c+o*n*m-e*a*m)*U,t[15]=(o*h*s-f*a*s+f*n*c-e*h*c-o*n*u+e*a*u)*U,this}scale(t){const e=this.elements,n=t.x,s=t.y,r=t.z;return e[0]*=n,e[4]*=s,e[8]*=r,e[1]*=n,e[5]*=s,e[9]*=r,e[2]*=n,e[6]*=s,e[10]*=r,e[3]*=n,e[7]*=s,e[11]*=r,this}getMaxScaleOnAxis(){const t=this.elements,e=t[0]*t[0]+t[1]*t[1]+t[2]*t[2],n=t[4]*t[4]+t[5]*t[5]+t[6]*t[6],s=t[8]*t[8]+t[9]*t[9]+t[10]*t[10];return Math.sqrt(Math.max(e,n,s))}makeTranslation(t,e,n){return t.isVector3?this.set(1,0,0,t.x,0,1,0,t.y,0,0,1,t.z,0,0,0,1):this.set(1,0,0,t,0,1,0,e,0,0,1,n,0,0,0,1),this}makeRotationX(t){const e=Math.cos(t),n=Math.sin(t);return this.set(1,0,0,0,0,e,-n,0,0,n,e,0,0,0,0,1),this}makeRotationY(t){const e=Math.cos(t),n=Math.sin(t);return this.set(e,0,n,0,0,1,0,0,-n,0,e,0,0,0,0,1),this}makeRotationZ(t){const e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,0,n,e,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(t,e){const n=Math.cos(e),s=Math.sin(e),r=1-n,o=t.x,a=t.y,c=t.z,l=r*o,f=r*a;return this.set(l*o+n,l*a-s*c,l*c+s*a,0,l*a+s*c,f*a+n,f*c-s*o,0,l*c-s*a,f*c+s*o,r*c*c+n,0,0,0,0,1),this}makeScale(t,e,n){return this.set(t,0,0,0,0,e,0,0,0,0,n,0,0,0,0,1),this}makeShear(t,e,n,s,r,o){return this.set(1,n,r,0,t,1,o,0,e,s,1,0,0,0,0,1),this}compose(t,e,n){const s=this.elements,r=e._x,o=e._y,a=e._z,c=e._w,l=r+r,f=o+o,h=a+a,u=r*l,p=r*f,_=r*h,x=o*f,m=o*h,d=a*h,T=c*l,A=c*f,S=c*h,L=n.x,C=n.y,U=n.z;return s[0]=(1-(x+d))*L,s[1]=(p+S)*L,s[2]=(_-A)*L,s[3]=0,s[4]=(p-S)*C,s[5]=(1-(u+d))*C,s[6]=(m+T)*C,s[7]=0,s[8]=(_+A)*U,s[9]=(m-T)*U,s[10]=(1-(u+x))*U,s[11]=0,s[12]=t.x,s[13]=t.y,s[14]=t.z,s[15]=1,this}decompose(t,e,n){const s=this.elements;let r=or.set(s[0],s[1],s[2]).length();const o=or.set(s[4],s[5],s[6]).length(),a=or.set(s[8],s[9],s[10]).length();this.determinant()<0&&(r=-r),t.x=s[12],t.y=s[13],t.z=s[14],ui.copy(this);const l=1/r,f=1/o,h=1/a;return ui.elements[0]*=l,ui.elements[1]*=l,ui.elements[2]*=l,ui.elements[4]*=f,ui.elements[5]*=f,ui.elements[6]*=f,ui.elements[8]*=h,ui.elements[9]*=h,ui.elements[10]*=h,e.setFromRotationMatrix(ui),n.x=r,n.y=o,n.z=a,this}makePerspective(t,e,n,s,r,o,a=Ci,c=!1){const l=this.elements,f=2*r/(e-t),h=2*r/(n-s),u=(e+t)/(e-t),p=(n+s)/(n-s);let _,x;if(c)_=r/(o-r),x=o*r/(o-r);else if(a===Ci)_=-(o+r)/(o-r),x=-2*o*r/(o-r);else if(a===Ea)_=-o/(o-r),x=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return l[0]=f,l[4]=0,l[8]=u,l[12]=0,l[1]=0,l[5]=h,l[9]=p,l[13]=0,l[2]=0,l[6]=0,l[10]=_,l[14]=x,l[3]=0,l[7]=0,l[11]=-1,l[15]=0,this}makeOrthographic(t,e,n,s,r,o,a=Ci,c=!1){const l=this.elements,f=2/(e-t),h=2/(n-s),u=-(e+t)/(e-t),p=-(n+s)/(n-s);let _,x;if(c)_=1/(o-r),x=o/(o-r);else if(a===Ci)_=-2/(o-r),x=-(o+r)/(o-r);else if(a===Ea)_=-1/(o-r),x=-r/(o-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return l[0]=f,l[4]=0,l[8]=0,l[12]=u,l[1]=0,l[5]=h,l[9]=0,l[13]=p,l[2]=0,l[6]=0,l[10]=_,l[14]=x,l[3]=0,l[7]=0,l[11]=0,l[15]=1,this}equals(t){const e=this.elements,n=t.elements;for(let s=0;s<16;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<16;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){const n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t[e+9]=n[9],t[e+10]=n[10],t[e+11]=n[11],t[e+12]=n[12],t[e+13]=n[13],t[e+14]=n[14],t[e+15]=n[15],t}}const or=new N,ui=new ye,ag=new N(0,0,0),lg=new N(1,1,1),is=new N,ko=new N,Wn=new N,du=new ye,pu=new zn;class xi{constructor(t=0,e=0,n=0,s=xi.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=e,this._z=n,this._order=s}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get order(){return this._order}set order(t){this._order=t,this._onChangeCallback()}set(t,e,n,s=this._order){return this._x=t,this._y=e,this._z=n,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(t){return this._x=t._x,this._y=t._y,this._z=t._z,this._order=t._order,this._onChangeCallback(),this}setFromRotationMatrix(t,e=this._order,n=!0){const s=t.elements,r=s[0],o=s[4],a=s[8],c=s[1],l=s[5],f=s[9],h=s[2],u=s[6],p=s[10];switch(e){case"XYZ":this._y=Math.asin(le(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(-f,p),this._z=Math.atan2(-o,r)):(this._x=Math.atan2(u,l),this._z=0);break;case"YXZ":this._x=Math.asin(-le(f,-1,1)),Math.abs(f)<.9999999?(this._y=Math.atan2(a,p),this._z=Math.atan2(c,l)):(this._y=Math.atan2(-h,r),this._z=0);break;case"ZXY":this._x=Math.asin(le(u,-1,1)),Math.abs(u)<.9999999?(this._y=Math.atan2(-h,p),this._z=Math.atan2(-o,l)):(this._y=0,this._z=Math.atan2(c,r));break;case"ZYX":this._y=Math.asin(-le(h,-1,1)),Math.abs(h)<.9999999?(this._x=Math.atan2(u,p),this._z=Math.atan2(c,r)):(this._x=0,this._z=Math.atan2(-o,l));break;case"YZX":this._z=Math.asin(le(c,-1,1)),Math.abs(c)<.9999999?(this._x=Math.atan2(-f,l),this._y=Math.atan2(-h,r)):(this._x=0,this._y=Math.atan2(a,p));break;case"XZY":this._z=Math.asin(-le(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(u,l),this._y=Math.atan2(a,r)):(this._x=Math.atan2(-f,p),this._y=0);break;default:console.warn("THREE.Euler: .setFromRotationMatrix() encountered an unknown order: "+e)}return this._order=e,n===!0&&this._onChangeCallback(),this}setFromQuaternion(t,e,n){return du.makeRotationFromQuaternion(t),this.setFromRotationMatrix(du,e,n)}setFromVector3(t,e=this._order){return this.set(t.x,t.y,t.z,e)}reorder(t){return pu.setFromEuler(this),this.setFromQuaternion(pu,t)}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._order===this._order}fromArray(t){return this._x=t[0],this._y=t[1],this._z=t[2],t[3]!==void 0&&(this._order=t[3]),this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._order,t}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}}xi.DEFAULT_ORDER="XYZ";class ph{constructor(){this.mask=1}set(t){this.mask=(1<<t|0)>>>0}enable(t){this.mask|=1<<t|0}enableAll(){this.mask=-1}toggle(t){this.mask^=1<<t|0}disable(t){this.mask&=~(1<<t|0)}disableAll(){this.mask=0}test(t){return(this.mask&t.mask)!==0}isEnabled(t){return(this.mask&(1<<t|0))!==0}}let cg=0;const mu=new N,ar=new zn,Bi=new ye,Ho=new N,Jr=new N,hg=new N,ug=new zn,gu=new N(1,0,0),_u=new N(0,1,0),vu=new N(0,0,1),xu={type:"added"},fg={type:"removed"},lr={type:"childadded",child:null},vl={type:"childremoved",child:null};class fn extends Gs{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:cg++}),this.uuid=wo(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=fn.DEFAULT_UP.clone();const t=new N,e=new xi,n=new zn,s=new N(1,1,1);function r(){n.setFromEuler(e,!1)}function o(){e.setFromQuaternion(n,void 0,!1)}e._onChange(r),n._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:e},quaternion:{configurable:!0,enumerable:!0,value:n},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new ye},normalMatrix:{value:new ie}}),this.matrix=new ye,this.matrixWorld=new ye,this.matrixAutoUpdate=fn.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=fn.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new ph,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.userData={}}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(t){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(t),this.matrix.decompose(this.position,this.quaternion,this.scale)}applyQuaternion(t){return this.quaternion.premultiply(t),this}setRotationFromAxisAngle(t,e){this.quaternion.setFromAxisAngle(t,e)}setRotationFromEuler(t){this.quaternion.setFromEuler(t,!0)}setRotationFromMatrix(t){this.quaternion.setFromRotationMatrix(t)}setRotationFromQuaternion(t){this.quaternion.copy(t)}rotateOnAxis(t,e){return ar.setFromAxisAngle(t,e),this.quaternion.multiply(ar),this}rotateOnWorldAxis(t,e){return ar.setFromAxisAngle(t,e),this.quaternion.premultiply(ar),this}rotateX(t){return this.rotateOnAxis(gu,t)}rotateY(t){return this.rotateOnAxis(_u,t)}rotateZ(t){return this.rotateOnAxis(vu,t)}translateOnAxis(t,e){return mu.copy(t).applyQuaternion(this.quaternion),this.position.add(mu.multiplyScalar(e)),this}translateX(t){return this.translateOnAxis(gu,t)}translateY(t){return this.translateOnAxis(_u,t)}translateZ(t){return this.translateOnAxis(vu,t)}localToWorld(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(this.matrixWorld)}worldToLocal(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(Bi.copy(this.matrixWorld).invert())}lookAt(t,e,n){t.isVector3?Ho.copy(t):Ho.set(t,e,n);const s=this.parent;this.updateWorldMatrix(!0,!1),Jr.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?Bi.lookAt(Jr,Ho,this.up):Bi.lookAt(Ho,Jr,this.up),this.quaternion.setFromRotationMatrix(Bi),s&&(Bi.extractRotation(s.matrixWorld),ar.setFromRotationMatrix(Bi),this.quaternion.premultiply(ar.invert()))}add(t){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return t===this?(console.error("THREE.Object3D.add: object can't be added as a child of itself.",t),this):(t&&t.isObject3D?(t.removeFromParent(),t.parent=this,this.children.push(t),t.dispatchEvent(xu),lr.child=t,this.dispatchEvent(lr),lr.child=null):console.error("THREE.Object3D.add: object not an instance of THREE.Object3D.",t),this)}remove(t){if(arguments.length>1){for(let n=0;n<arguments.length;n++)this.remove(arguments[n]);return this}const e=this.children.indexOf(t);return e!==-1&&(t.parent=null,this.children.splice(e,1),t.dispatchEvent(fg),vl.child=t,this.dispatchEvent(vl),vl.child=null),this}removeFromParent(){const t=this.parent;return t!==null&&t.remove(this),this}clear(){return this.remove(...this.children)}attach(t){return this.updateWorldMatrix(!0,!1),Bi.copy(this.matrixWorld).invert(),t.parent!==null&&(t.parent.updateWorldMatrix(!0,!1),Bi.multiply(t.parent.matrixWorld)),t.applyMatrix4(Bi),t.removeFromParent(),t.parent=this,this.children.push(t),t.updateWorldMatrix(!1,!0),t.dispatchEvent(xu),lr.child=t,this.dispatchEvent(lr),lr.child=null,this}getObjectById(t){return this.getObjectByProperty("id",t)}getObjectByName(t){return this.getObjectByProperty("name",t)}getObjectByProperty(t,e){if(this[t]===e)return this;for(let n=0,s=this.children.length;n<s;n++){const o=this.children[n].getObjectByProperty(t,e);if(o!==void 0)return o}}getObjectsByProperty(t,e,n=[]){this[t]===e&&n.push(this);const s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].getObjectsByProperty(t,e,n);return n}getWorldPosition(t){return this.updateWorldMatrix(!0,!1),t.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Jr,t,hg),t}getWorldScale(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Jr,ug,t),t}getWorldDirection(t){this.updateWorldMatrix(!0,!1);const e=this.matrixWorld.elements;return t.set(e[8],e[9],e[10]).normalize()}raycast(){}traverse(t){t(this);const e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverse(t)}traverseVisible(t){if(this.visible===!1)return;t(this);const e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverseVisible(t)}traverseAncestors(t){const e=this.parent;e!==null&&(t(e),e.traverseAncestors(t))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale),this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(t){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||t)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,t=!0);const e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].updateMatrixWorld(t)}updateWorldMatrix(t,e){const n=this.parent;if(t===!0&&n!==null&&n.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),e===!0){const s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].updateWorldMatrix(!1,!0)}}toJSON(t){const e=t===void 0||typeof t=="string",n={};e&&(t={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:"Object",generator:"Object3D.toJSON"});const s={};s.uuid=this.uuid,s.type=this.type,this.name!==""&&(s.name=this.name),this.castShadow===!0&&(s.castShadow=!0),this.receiveShadow===!0&&(s.receiveShadow=!0),this.visible===!1&&(s.visible=!1),this.frustumCulled===!1&&(s.frustumCulled=!1),this.renderOrder!==0&&(s.renderOrder=this.renderOrder),Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.matrixAutoUpdate===!1&&(s.matrixAutoUpdate=!1),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.geometryInfo=this._geometryInfo.map(a=>({...a,boundingBox:a.boundingBox?a.boundingBox.toJSON():void 0,boundingSphere:a.boundingSphere?a.boundingSphere.toJSON():void 0})),s.instanceInfo=this._instanceInfo.map(a=>({...a})),s.availableInstanceIds=this._availableInstanceIds.slice(),s.availableGeometryIds=this._availableGeometryIds.slice(),s.nextIndexStart=this._nextIndexStart,s.nextVertexStart=this._nextVertexStart,s.geometryCount=this._geometryCount,s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.matricesTexture=this._matricesTexture.toJSON(t),s.indirectTexture=this._indirectTexture.toJSON(t),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(t)),this.boundingSphere!==null&&(s.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(s.boundingBox=this.boundingBox.toJSON()));function r(a,c){return a[c.uuid]===void 0&&(a[c.uuid]=c.toJSON(t)),c.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(t).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(t).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(t.geometries,this.geometry);const a=this.geometry.parameters;if(a!==void 0&&a.shapes!==void 0){const c=a.shapes;if(Array.isArray(c))for(let l=0,f=c.length;l<f;l++){const h=c[l];r(t.shapes,h)}else r(t.shapes,c)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(t.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){const a=[];for(let c=0,l=this.material.length;c<l;c++)a.push(r(t.materials,this.material[c]));s.material=a}else s.material=r(t.materials,this.material);if(this.children.length>0){s.children=[];for(let a=0;a<this.children.length;a++)s.children.push(this.children[a].toJSON(t).object)}if(this.animations.length>0){s.animations=[];for(let a=0;a<this.animations.length;a++){const c=this.animations[a];s.animations.push(r(t.animations,c))}}if(e){const a=o(t.geometries),c=o(t.materials),l=o(t.textures),f=o(t.images),h=o(t.shapes),u=o(t.skeletons),p=o(t.animations),_=o(t.nodes);a.length>0&&(n.geometries=a),c.length>0&&(n.materials=c),l.length>0&&(n.textures=l),f.length>0&&(n.images=f),h.length>0&&(n.shapes=h),u.length>0&&(n.skeletons=u),p.length>0&&(n.animations=p),_.length>0&&(n.nodes=_)}return n.object=s,n;function o(a){const c=[];for(const l in a){const f=a[l];delete f.metadata,c.push(f)}return c}}clone(t){return new this.constructor().copy(this,t)}copy(t,e=!0){if(this.name=t.name,this.up.copy(t.up),this.position.copy(t.position),this.rotation.order=t.rotation.order,this.quaternion.copy(t.quaternion),this.scale.copy(t.scale),this.matrix.copy(t.matrix),this.matrixWorld.copy(t.matrixWorld),this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrixWorldAutoUpdate=t.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=t.matrixWorldNeedsUpdate,this.layers.mask=t.layers.mask,this.visible=t.visible,this.castShadow=t.castShadow,this.receiveShadow=t.receiveShadow,this.frustumCulled=t.frustumCulled,this.renderOrder=t.renderOrder,this.animations=t.animations.slice(),this.userData=JSON.parse(JSON.stringify(t.userData)),e===!0)for(let n=0;n<t.children.length;n++){const s=t.children[n];this.add(s.clone())}return this}}fn.DEFAULT_UP=new N(0,1,0);fn.DEFAULT_MATRIX_AUTO_UPDATE=!0;fn.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;const fi=new N,zi=new N,xl=new N,ki=new N,cr=new N,hr=new N,Mu=new N,Ml=new N,Sl=new N,yl=new N,El=new Xe,bl=new Xe,Tl=new Xe;class si{constructor(t=new N,e=new N,n=new N){this.a=t,this.b=e,this.c=n}static getNormal(t,e,n,s){s.subVectors(n,e),fi.subVectors(t,e),s.cross(fi);const r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(t,e,n,s,r){fi.subVectors(s,e),zi.subVectors(n,e),xl.subVectors(t,e);const o=fi.dot(fi),a=fi.dot(zi),c=fi.dot(xl),l=zi.dot(zi),f=zi.dot(xl),h=o*l-a*a;if(h===0)return r.set(0,0,0),null;const u=1/h,p=(l*c-a*f)*u,_=(o*f-a*c)*u;return r.set(1-p-_,_,p)}static containsPoint(t,e,n,s){return this.getBarycoord(t,e,n,s,ki)===null?!1:ki.x>=0&&ki.y>=0&&ki.x+ki.y<=1}static getInterpolation(t,e,n,s,r,o,a,c){return this.getBarycoord(t,e,n,s,ki)===null?(c.x=0,c.y=0,"z"in c&&(c.z=0),"w"in c&&(c.w=0),null):(c.setScalar(0),c.addScaledVector(r,ki.x),c.addScaledVector(o,ki.y),c.addScaledVector(a,ki.z),c)}static getInterpolatedAttribute(t,e,n,s,r,o){return El.setScalar(0),bl.setScalar(0),Tl.setScalar(0),El.fromBufferAttribute(t,e),bl.fromBufferAttribute(t,n),Tl.fromBufferAttribute(t,s),o.setScalar(0),o.addScaledVector(El,r.x),o.addScaledVector(bl,r.y),o.addScaledVector(Tl,r.z),o}static isFrontFacing(t,e,n,s){return fi.subVectors(n,e),zi.subVectors(t,e),fi.cross(zi).dot(s)<0}set(t,e,n){return this.a.copy(t),this.b.copy(e),this.c.copy(n),this}setFromPointsAndIndices(t,e,n,s){return this.a.copy(t[e]),this.b.copy(t[n]),this.c.copy(t[s]),this}setFromAttributeAndIndices(t,e,n,s){return this.a.fromBufferAttribute(t,e),this.b.fromBufferAttribute(t,n),this.c.fromBufferAttribute(t,s),this}clone(){return new this.constructor().copy(this)}copy(t){return this.a.copy(t.a),this.b.copy(t.b),this.c.copy(t.c),this}getArea(){return fi.subVectors(this.c,this.b),zi.subVectors(this.a,this.b),fi.cross(zi).length()*.5}getMidpoint(t){return t.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return si.getNormal(this.a,this.b,this.c,t)}getPlane(t){return t.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,e){return si.getBarycoord(t,this.a,this.b,this.c,e)}getInterpolation(t,e,n,s,r){return si.getInterpolation(t,this.a,this.b,this.c,e,n,s,r)}containsPoint(t){return si.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return si.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(t){return t.intersectsTriangle(this)}closestPointToPoint(t,e){const n=this.a,s=this.b,r=this.c;let o,a;cr.subVectors(s,n),hr.subVectors(r,n),Ml.subVectors(t,n);const c=cr.dot(Ml),l=hr.dot(Ml);if(c<=0&&l<=0)return e.copy(n);Sl.subVectors(t,s);const f=cr.dot(Sl),h=hr.dot(Sl);if(f>=0&&h<=f)return e.copy(s);const u=c*h-f*l;if(u<=0&&c>=0&&f<=0)return o=c/(c-f),e.copy(n).addScaledVector(cr,o);yl.subVectors(t,r);const p=cr.dot(yl),_=hr.dot(yl);if(_>=0&&p<=_)return e.copy(r);const x=p*l-c*_;if(x<=0&&l>=0&&_<=0)return a=l/(l-_),e.copy(n).addScaledVector(hr,a);const m=f*_-p*h;if(m<=0&&h-f>=0&&p-_>=0)return Mu.subVectors(r,s),a=(h-f)/(h-f+(p-_)),e.copy(s).addScaledVector(Mu,a);const d=1/(m+x+u);return o=x*d,a=u*d,e.copy(n).addScaledVector(cr,o).addScaledVector(hr,a)}equals(t){return t.a.equals(this.a)&&t.b.equals(this.b)&&t.c.equals(this.c)}}const Rd={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},ss={h:0,s:0,l:0},Vo={h:0,s:0,l:0};function wl(i,t,e){return e<0&&(e+=1),e>1&&(e-=1),e<1/6?i+(t-i)*6*e:e<1/2?t:e<2/3?i+(t-i)*6*(2/3-e):i}class ne{constructor(t,e,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(t,e,n)}set(t,e,n){if(e===void 0&&n===void 0){const s=t;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(t,e,n);return this}setScalar(t){return this.r=t,this.g=t,this.b=t,this}setHex(t,e=qn){return t=Math.floor(t),this.r=(t>>16&255)/255,this.g=(t>>8&255)/255,this.b=(t&255)/255,me.colorSpaceToWorking(this,e),this}setRGB(t,e,n,s=me.workingColorSpace){return this.r=t,this.g=e,this.b=n,me.colorSpaceToWorking(this,s),this}setHSL(t,e,n,s=me.workingColorSpace){if(t=$m(t,1),e=le(e,0,1),n=le(n,0,1),e===0)this.r=this.g=this.b=n;else{const r=n<=.5?n*(1+e):n+e-n*e,o=2*n-r;this.r=wl(o,r,t+1/3),this.g=wl(o,r,t),this.b=wl(o,r,t-1/3)}return me.colorSpaceToWorking(this,s),this}setStyle(t,e=qn){function n(r){r!==void 0&&parseFloat(r)<1&&console.warn("THREE.Color: Alpha component of "+t+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(t)){let r;const o=s[1],a=s[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d*\.?\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,e);if(r=/^\s*(\d+)\%\s*,\s*(\d+)\%\s*,\s*(\d+)\%\s*(?:,\s*(\d*\.?\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(100,parseInt(r[1],10))/100,Math.min(100,parseInt(r[2],10))/100,Math.min(100,parseInt(r[3],10))/100,e);break;case"hsl":case"hsla":if(r=/^\s*(\d*\.?\d+)\s*,\s*(\d*\.?\d+)\%\s*,\s*(\d*\.?\d+)\%\s*(?:,\s*(\d*\.?\d+)\s*)?$/.exec(a))return n(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,e);break;default:console.warn("THREE.Color: Unknown color model "+t)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(t)){const r=s[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,e);if(o===6)return this.setHex(parseInt(r,16),e);console.warn("THREE.Color: Invalid hex color "+t)}else if(t&&t.length>0)return this.setColorName(t,e);return this}setColorName(t,e=qn){const n=Rd[t.toLowerCase()];return n!==void 0?this.setHex(n,e):console.warn("THREE.Color: Unknown color "+t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(t){return this.r=t.r,this.g=t.g,this.b=t.b,this}copySRGBToLinear(t){return this.r=Xi(t.r),this.g=Xi(t.g),this.b=Xi(t.b),this}copyLinearToSRGB(t){return this.r=yr(t.r),this.g=yr(t.g),this.b=yr(t.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(t=qn){return me.workingToColorSpace(Mn.copy(this),t),Math.round(le(Mn.r*255,0,255))*65536+Math.round(le(Mn.g*255,0,255))*256+Math.round(le(Mn.b*255,0,255))}getHexString(t=qn){return("000000"+this.getHex(t).toString(16)).slice(-6)}getHSL(t,e=me.workingColorSpace){me.workingToColorSpace(Mn.copy(this),e);const n=Mn.r,s=Mn.g,r=Mn.b,o=Math.max(n,s,r),a=Math.min(n,s,r);let c,l;const f=(a+o)/2;if(a===o)c=0,l=0;else{const h=o-a;switch(l=f<=.5?h/(o+a):h/(2-o-a),o){case n:c=(s-r)/h+(s<r?6:0);break;case s:c=(r-n)/h+2;break;case r:c=(n-s)/h+4;break}c/=6}return t.h=c,t.s=l,t.l=f,t}getRGB(t,e=me.workingColorSpace){return me.workingToColorSpace(Mn.copy(this),e),t.r=Mn.r,t.g=Mn.g,t.b=Mn.b,t}getStyle(t=qn){me.workingToColorSpace(Mn.copy(this),t);const e=Mn.r,n=Mn.g,s=Mn.b;return t!==qn?`color(${t} ${e.toFixed(3)} ${n.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(e*255)},${Math.round(n*255)},${Math.round(s*255)})`}offsetHSL(t,e,n){return this.getHSL(ss),this.setHSL(ss.h+t,ss.s+e,ss.l+n)}add(t){return this.r+=t.r,this.g+=t.g,this.b+=t.b,this}addColors(t,e){return this.r=t.r+e.r,this.g=t.g+e.g,this.b=t.b+e.b,this}addScalar(t){return this.r+=t,this.g+=t,this.b+=t,this}sub(t){return this.r=Math.max(0,this.r-t.r),this.g=Math.max(0,this.g-t.g),this.b=Math.max(0,this.b-t.b),this}multiply(t){return this.r*=t.r,this.g*=t.g,this.b*=t.b,this}multiplyScalar(t){return this.r*=t,this.g*=t,this.b*=t,this}lerp(t,e){return this.r+=(t.r-this.r)*e,this.g+=(t.g-this.g)*e,this.b+=(t.b-this.b)*e,this}lerpColors(t,e,n){return this.r=t.r+(e.r-t.r)*n,this.g=t.g+(e.g-t.g)*n,this.b=t.b+(e.b-t.b)*n,this}lerpHSL(t,e){this.getHSL(ss),t.getHSL(Vo);const n=ll(ss.h,Vo.h,e),s=ll(ss.s,Vo.s,e),r=ll(ss.l,Vo.l,e);return this.setHSL(n,s,r),this}setFromVector3(t){return this.r=t.x,this.g=t.y,this.b=t.z,this}applyMatrix3(t){const e=this.r,n=this.g,s=this.b,r=t.elements;return this.r=r[0]*e+r[3]*n+r[6]*s,this.g=r[1]*e+r[4]*n+r[7]*s,this.b=r[2]*e+r[5]*n+r[8]*s,this}equals(t){return t.r===this.r&&t.g===this.g&&t.b===this.b}fromArray(t,e=0){return this.r=t[e],this.g=t[e+1],this.b=t[e+2],this}toArray(t=[],e=0){return t[e]=this.r,t[e+1]=this.g,t[e+2]=this.b,t}fromBufferAttribute(t,e){return this.r=t.getX(e),this.g=t.getY(e),this.b=t.getZ(e),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}}const Mn=new ne;ne.NAMES=Rd;let dg=0;class Ws extends Gs{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:dg++}),this.uuid=wo(),this.name="",this.type="Material",this.blending=Sr,this.side=ds,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=Ql,this.blendDst=tc,this.blendEquation=Ds,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new ne(0,0,0),this.blendAlpha=0,this.depthFunc=Tr,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=ou,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=er,this.stencilZFail=er,this.stencilZPass=er,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(t){this._alphaTest>0!=t>0&&this.version++,this._alphaTest=t}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(t){if(t!==void 0)for(const e in t){const n=t[e];if(n===void 0){console.warn(`THREE.Material: parameter '${e}' has value of undefined.`);continue}const s=this[e];if(s===void 0){console.warn(`THREE.Material: '${e}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(n):s&&s.isVector3&&n&&n.isVector3?s.copy(n):this[e]=n}}toJSON(t){const e=t===void 0||typeof t=="string";e&&(t={textures:{},images:{}});const n={metadata:{version:4.7,type:"Material",generator:"Material.toJSON"}};n.uuid=this.uuid,n.type=this.type,this.name!==""&&(n.name=this.name),this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&this.emissiveIntensity!==1&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(t).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(t).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(t).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(t).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(t).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessRange!==void 0&&(n.iridescenceThicknessRange=this.iridescenceThicknessRange),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(t).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(t).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(t).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(t).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(t).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(t).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(t).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(t).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(t).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(t).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(t).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(t).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(t).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(t).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(t).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(t).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(t).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(t).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(t).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(t).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(t).uuid),this.attenuationDistance!==void 0&&this.attenuationDistance!==1/0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.shadowSide!==null&&(n.shadowSide=this.shadowSide),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),this.blending!==Sr&&(n.blending=this.blending),this.side!==ds&&(n.side=this.side),this.vertexColors===!0&&(n.vertexColors=!0),this.opacity<1&&(n.opacity=this.opacity),this.transparent===!0&&(n.transparent=!0),this.blendSrc!==Ql&&(n.blendSrc=this.blendSrc),this.blendDst!==tc&&(n.blendDst=this.blendDst),this.blendEquation!==Ds&&(n.blendEquation=this.blendEquation),this.blendSrcAlpha!==null&&(n.blendSrcAlpha=this.blendSrcAlpha),this.blendDstAlpha!==null&&(n.blendDstAlpha=this.blendDstAlpha),this.blendEquationAlpha!==null&&(n.blendEquationAlpha=this.blendEquationAlpha),this.blendColor&&this.blendColor.isColor&&(n.blendColor=this.blendColor.getHex()),this.blendAlpha!==0&&(n.blendAlpha=this.blendAlpha),this.depthFunc!==Tr&&(n.depthFunc=this.depthFunc),this.depthTest===!1&&(n.depthTest=this.depthTest),this.depthWrite===!1&&(n.depthWrite=this.depthWrite),this.colorWrite===!1&&(n.colorWrite=this.colorWrite),this.stencilWriteMask!==255&&(n.stencilWriteMask=this.stencilWriteMask),this.stencilFunc!==ou&&(n.stencilFunc=this.stencilFunc),this.stencilRef!==0&&(n.stencilRef=this.stencilRef),this.stencilFuncMask!==255&&(n.stencilFuncMask=this.stencilFuncMask),this.stencilFail!==er&&(n.stencilFail=this.stencilFail),this.stencilZFail!==er&&(n.stencilZFail=this.stencilZFail),this.stencilZPass!==er&&(n.stencilZPass=this.stencilZPass),this.stencilWrite===!0&&(n.stencilWrite=this.stencilWrite),this.rotation!==void 0&&this.rotation!==0&&(n.rotation=this.rotation),this.polygonOffset===!0&&(n.polygonOffset=!0),this.polygonOffsetFactor!==0&&(n.polygonOffsetFactor=this.polygonOffsetFactor),this.polygonOffsetUnits!==0&&(n.polygonOffsetUnits=this.polygonOffsetUnits),this.linewidth!==void 0&&this.linewidth!==1&&(n.linewidth=this.linewidth),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.dithering===!0&&(n.dithering=!0),this.alphaTest>0&&(n.alphaTest=this.alphaTest),this.alphaHash===!0&&(n.alphaHash=!0),this.alphaToCoverage===!0&&(n.alphaToCoverage=!0),this.premultipliedAlpha===!0&&(n.premultipliedAlpha=!0),this.forceSinglePass===!0&&(n.forceSinglePass=!0),this.wireframe===!0&&(n.wireframe=!0),this.wireframeLinewidth>1&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!=="round"&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!=="round"&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading===!0&&(n.flatShading=!0),this.visible===!1&&(n.visible=!1),this.toneMapped===!1&&(n.toneMapped=!1),this.fog===!1&&(n.fog=!1),Object.keys(this.userData).length>0&&(n.userData=this.userData);function s(r){const o=[];for(const a in r){const c=r[a];delete c.metadata,o.push(c)}return o}if(e){const r=s(t.textures),o=s(t.images);r.length>0&&(n.textures=r),o.length>0&&(n.images=o)}return n}clone(){return new this.constructor().copy(this)}copy(t){this.name=t.name,this.blending=t.blending,this.side=t.side,this.vertexColors=t.vertexColors,this.opacity=t.opacity,this.transparent=t.transparent,this.blendSrc=t.blendSrc,this.blendDst=t.blendDst,this.blendEquation=t.blendEquation,this.blendSrcAlpha=t.blendSrcAlpha,this.blendDstAlpha=t.blendDstAlpha,this.blendEquationAlpha=t.blendEquationAlpha,this.blendColor.copy(t.blendColor),this.blendAlpha=t.blendAlpha,this.depthFunc=t.depthFunc,this.depthTest=t.depthTest,this.depthWrite=t.depthWrite,this.stencilWriteMask=t.stencilWriteMask,this.stencilFunc=t.stencilFunc,this.stencilRef=t.stencilRef,this.stencilFuncMask=t.stencilFuncMask,this.stencilFail=t.stencilFail,this.stencilZFail=t.stencilZFail,this.stencilZPass=t.stencilZPass,this.stencilWrite=t.stencilWrite;const e=t.clippingPlanes;let n=null;if(e!==null){const s=e.length;n=new Array(s);for(let r=0;r!==s;++r)n[r]=e[r].clone()}return this.clippingPlanes=n,this.clipIntersection=t.clipIntersection,this.clipShadows=t.clipShadows,this.shadowSide=t.shadowSide,this.colorWrite=t.colorWrite,this.precision=t.precision,this.polygonOffset=t.polygonOffset,this.polygonOffsetFactor=t.polygonOffsetFactor,this.polygonOffsetUnits=t.polygonOffsetUnits,this.dithering=t.dithering,this.alphaTest=t.alphaTest,this.alphaHash=t.alphaHash,this.alphaToCoverage=t.alphaToCoverage,this.premultipliedAlpha=t.premultipliedAlpha,this.forceSinglePass=t.forceSinglePass,this.visible=t.visible,this.toneMapped=t.toneMapped,this.userData=JSON.parse(JSON.stringify(t.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(t){t===!0&&this.version++}}class Pi extends Ws{constructor(t){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new ne(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new xi,this.combine=sh,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.fog=t.fog,this}}const qe=new N,Go=new Qt;let pg=0;class un{constructor(t,e,n=!1){if(Array.isArray(t))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:pg++}),this.name="",this.array=t,this.itemSize=e,this.count=t!==void 0?t.length/e:0,this.normalized=n,this.usage=au,this.updateRanges=[],this.gpuType=Ri,this.version=0}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.name=t.name,this.array=new t.array.constructor(t.array),this.itemSize=t.itemSize,this.count=t.count,this.normalized=t.normalized,this.usage=t.usage,this.gpuType=t.gpuType,this}copyAt(t,e,n){t*=this.itemSize,n*=e.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[t+s]=e.array[n+s];return this}copyArray(t){return this.array.set(t),this}applyMatrix3(t){if(this.itemSize===2)for(let e=0,n=this.count;e<n;e++)Go.fromBufferAttribute(this,e),Go.applyMatrix3(t),this.setXY(e,Go.x,Go.y);else if(this.itemSize===3)for(let e=0,n=this.count;e<n;e++)qe.fromBufferAttribute(this,e),qe.applyMatrix3(t),this.setXYZ(e,qe.x,qe.y,qe.z);return this}applyMatrix4(t){for(let e=0,n=this.count;e<n;e++)qe.fromBufferAttribute(this,e),qe.applyMatrix4(t),this.setXYZ(e,qe.x,qe.y,qe.z);return this}applyNormalMatrix(t){for(let e=0,n=this.count;e<n;e++)qe.fromBufferAttribute(this,e),qe.applyNormalMatrix(t),this.setXYZ(e,qe.x,qe.y,qe.z);return this}transformDirection(t){for(let e=0,n=this.count;e<n;e++)qe.fromBufferAttribute(this,e),qe.transformDirection(t),this.setXYZ(e,qe.x,qe.y,qe.z);return this}set(t,e=0){return this.array.set(t,e),this}getComponent(t,e){let n=this.array[t*this.itemSize+e];return this.normalized&&(n=jr(n,this.array)),n}setComponent(t,e,n){return this.normalized&&(n=In(n,this.array)),this.array[t*this.itemSize+e]=n,this}getX(t){let e=this.array[t*this.itemSize];return this.normalized&&(e=jr(e,this.array)),e}setX(t,e){return this.normalized&&(e=In(e,this.array)),this.array[t*this.itemSize]=e,this}getY(t){let e=this.array[t*this.itemSize+1];return this.normalized&&(e=jr(e,this.array)),e}setY(t,e){return this.normalized&&(e=In(e,this.array)),this.array[t*this.itemSize+1]=e,this}getZ(t){let e=this.array[t*this.itemSize+2];return this.normalized&&(e=jr(e,this.array)),e}setZ(t,e){return this.normalized&&(e=In(e,this.array)),this.array[t*this.itemSize+2]=e,this}getW(t){let e=this.array[t*this.itemSize+3];return this.normalized&&(e=jr(e,this.array)),e}setW(t,e){return this.normalized&&(e=In(e,this.array)),this.array[t*this.itemSize+3]=e,this}setXY(t,e,n){return t*=this.itemSize,this.normalized&&(e=In(e,this.array),n=In(n,this.array)),this.array[t+0]=e,this.array[t+1]=n,this}setXYZ(t,e,n,s){return t*=this.itemSize,this.normalized&&(e=In(e,this.array),n=In(n,this.array),s=In(s,this.array)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this}setXYZW(t,e,n,s,r){return t*=this.itemSize,this.normalized&&(e=In(e,this.array),n=In(n,this.array),s=In(s,this.array),r=In(r,this.array)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this.array[t+3]=r,this}onUpload(t){return this.onUploadCallback=t,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){const t={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return this.name!==""&&(t.name=this.name),this.usage!==au&&(t.usage=this.usage),t}}class Cd extends un{constructor(t,e,n){super(new Uint16Array(t),e,n)}}class Pd extends un{constructor(t,e,n){super(new Uint32Array(t),e,n)}}class Qe extends un{constructor(t,e,n){super(new Float32Array(t),e,n)}}let mg=0;const ti=new ye,Al=new fn,ur=new N,Xn=new Di,Qr=new Di,hn=new N;class Dn extends Gs{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:mg++}),this.uuid=wo(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={}}getIndex(){return this.index}setIndex(t){return Array.isArray(t)?this.index=new(wd(t)?Pd:Cd)(t,1):this.index=t,this}setIndirect(t){return this.indirect=t,this}getIndirect(){return this.indirect}getAttribute(t){return this.attributes[t]}setAttribute(t,e){return this.attributes[t]=e,this}deleteAttribute(t){return delete this.attributes[t],this}hasAttribute(t){return this.attributes[t]!==void 0}addGroup(t,e,n=0){this.groups.push({start:t,count:e,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(t,e){this.drawRange.start=t,this.drawRange.count=e}applyMatrix4(t){const e=this.attributes.position;e!==void 0&&(e.applyMatrix4(t),e.needsUpdate=!0);const n=this.attributes.normal;if(n!==void 0){const r=new ie().getNormalMatrix(t);n.applyNormalMatrix(r),n.needsUpdate=!0}const s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(t),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this}applyQuaternion(t){return ti.makeRotationFromQuaternion(t),this.applyMatrix4(ti),this}rotateX(t){return ti.makeRotationX(t),this.applyMatrix4(ti),this}rotateY(t){return ti.makeRotationY(t),this.applyMatrix4(ti),this}rotateZ(t){return ti.makeRotationZ(t),this.applyMatrix4(ti),this}translate(t,e,n){return ti.makeTranslation(t,e,n),this.applyMatrix4(ti),this}scale(t,e,n){return ti.makeScale(t,e,n),this.applyMatrix4(ti),this}lookAt(t){return Al.lookAt(t),Al.updateMatrix(),this.applyMatrix4(Al.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(ur).negate(),this.translate(ur.x,ur.y,ur.z),this}setFromPoints(t){const e=this.getAttribute("position");if(e===void 0){const n=[];for(let s=0,r=t.length;s<r;s++){const o=t[s];n.push(o.x,o.y,o.z||0)}this.setAttribute("position",new Qe(n,3))}else{const n=Math.min(t.length,e.count);for(let s=0;s<n;s++){const r=t[s];e.setXYZ(s,r.x,r.y,r.z||0)}t.length>e.count&&console.warn("THREE.BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),e.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new Di);const t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){console.error("THREE.BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new N(-1/0,-1/0,-1/0),new N(1/0,1/0,1/0));return}if(t!==void 0){if(this.boundingBox.setFromBufferAttribute(t),e)for(let n=0,s=e.length;n<s;n++){const r=e[n];Xn.setFromBufferAttribute(r),this.morphTargetsRelative?(hn.addVectors(this.boundingBox.min,Xn.min),this.boundingBox.expandByPoint(hn),hn.addVectors(this.boundingBox.max,Xn.max),this.boundingBox.expandByPoint(hn)):(this.boundingBox.expandByPoint(Xn.min),this.boundingBox.expandByPoint(Xn.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&console.error('THREE.BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new Fr);const t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){console.error("THREE.BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new N,1/0);return}if(t){const n=this.boundingSphere.center;if(Xn.setFromBufferAttribute(t),e)for(let r=0,o=e.length;r<o;r++){const a=e[r];Qr.setFromBufferAttribute(a),this.morphTargetsRelative?(hn.addVectors(Xn.min,Qr.min),Xn.expandByPoint(hn),hn.addVectors(Xn.max,Qr.max),Xn.expandByPoint(hn)):(Xn.expandByPoint(Qr.min),Xn.expandByPoint(Qr.max))}Xn.getCenter(n);let s=0;for(let r=0,o=t.count;r<o;r++)hn.fromBufferAttribute(t,r),s=Math.max(s,n.distanceToSquared(hn));if(e)for(let r=0,o=e.length;r<o;r++){const a=e[r],c=this.morphTargetsRelative;for(let l=0,f=a.count;l<f;l++)hn.fromBufferAttribute(a,l),c&&(ur.fromBufferAttribute(t,l),hn.add(ur)),s=Math.max(s,n.distanceToSquared(hn))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&console.error('THREE.BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){const t=this.index,e=this.attributes;if(t===null||e.position===void 0||e.normal===void 0||e.uv===void 0){console.error("THREE.BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}const n=e.position,s=e.normal,r=e.uv;this.hasAttribute("tangent")===!1&&this.setAttribute("tangent",new un(new Float32Array(4*n.count),4));const o=this.getAttribute("tangent"),a=[],c=[];for(let O=0;O<n.count;O++)a[O]=new N,c[O]=new N;const l=new N,f=new N,h=new N,u=new Qt,p=new Qt,_=new Qt,x=new N,m=new N;function d(O,b,E){l.fromBufferAttribute(n,O),f.fromBufferAttribute(n,b),h.fromBufferAttribute(n,E),u.fromBufferAttribute(r,O),p.fromBufferAttribute(r,b),_.fromBufferAttribute(r,E),f.sub(l),h.sub(l),p.sub(u),_.sub(u);const R=1/(p.x*_.y-_.x*p.y);isFinite(R)&&(x.copy(f).multiplyScalar(_.y).addScaledVector(h,-p.y).multiplyScalar(R),m.copy(h).multiplyScalar(p.x).addScaledVector(f,-_.x).multiplyScalar(R),a[O].add(x),a[b].add(x),a[E].add(x),c[O].add(m),c[b].add(m),c[E].add(m))}let T=this.groups;T.length===0&&(T=[{start:0,count:t.count}]);for(let O=0,b=T.length;O<b;++O){const E=T[O],R=E.start,k=E.count;for(let V=R,Y=R+k;V<Y;V+=3)d(t.getX(V+0),t.getX(V+1),t.getX(V+2))}const A=new N,S=new N,L=new N,C=new N;function U(O){L.fromBufferAttribute(s,O),C.copy(L);const b=a[O];A.copy(b),A.sub(L.multiplyScalar(L.dot(b))).normalize(),S.crossVectors(C,b);const R=S.dot(c[O])<0?-1:1;o.setXYZW(O,A.x,A.y,A.z,R)}for(let O=0,b=T.length;O<b;++O){const E=T[O],R=E.start,k=E.count;for(let V=R,Y=R+k;V<Y;V+=3)U(t.getX(V+0)),U(t.getX(V+1)),U(t.getX(V+2))}}computeVertexNormals(){const t=this.index,e=this.getAttribute("position");if(e!==void 0){let n=this.getAttribute("normal");if(n===void 0)n=new un(new Float32Array(e.count*3),3),this.setAttribute("normal",n);else for(let u=0,p=n.count;u<p;u++)n.setXYZ(u,0,0,0);const s=new N,r=new N,o=new N,a=new N,c=new N,l=new N,f=new N,h=new N;if(t)for(let u=0,p=t.count;u<p;u+=3){const _=t.getX(u+0),x=t.getX(u+1),m=t.getX(u+2);s.fromBufferAttribute(e,_),r.fromBufferAttribute(e,x),o.fromBufferAttribute(e,m),f.subVectors(o,r),h.subVectors(s,r),f.cross(h),a.fromBufferAttribute(n,_),c.fromBufferAttribute(n,x),l.fromBufferAttribute(n,m),a.add(f),c.add(f),l.add(f),n.setXYZ(_,a.x,a.y,a.z),n.setXYZ(x,c.x,c.y,c.z),n.setXYZ(m,l.x,l.y,l.z)}else for(let u=0,p=e.count;u<p;u+=3)s.fromBufferAttribute(e,u+0),r.fromBufferAttribute(e,u+1),o.fromBufferAttribute(e,u+2),f.subVectors(o,r),h.subVectors(s,r),f.cross(h),n.setXYZ(u+0,f.x,f.y,f.z),n.setXYZ(u+1,f.x,f.y,f.z),n.setXYZ(u+2,f.x,f.y,f.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){const t=this.attributes.normal;for(let e=0,n=t.count;e<n;e++)hn.fromBufferAttribute(t,e),hn.normalize(),t.setXYZ(e,hn.x,hn.y,hn.z)}toNonIndexed(){function t(a,c){const l=a.array,f=a.itemSize,h=a.normalized,u=new l.constructor(c.length*f);let p=0,_=0;for(let x=0,m=c.length;x<m;x++){a.isInterleavedBufferAttribute?p=c[x]*a.data.stride+a.offset:p=c[x]*f;for(let d=0;d<f;d++)u[_++]=l[p++]}return new un(u,f,h)}if(this.index===null)return console.warn("THREE.BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;const e=new Dn,n=this.index.array,s=this.attributes;for(const a in s){const c=s[a],l=t(c,n);e.setAttribute(a,l)}const r=this.morphAttributes;for(const a in r){const c=[],l=r[a];for(let f=0,h=l.length;f<h;f++){const u=l[f],p=t(u,n);c.push(p)}e.morphAttributes[a]=c}e.morphTargetsRelative=this.morphTargetsRelative;const o=this.groups;for(let a=0,c=o.length;a<c;a++){const l=o[a];e.addGroup(l.start,l.count,l.materialIndex)}return e}toJSON(){const t={metadata:{version:4.7,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(t.uuid=this.uuid,t.type=this.type,this.name!==""&&(t.name=this.name),Object.keys(this.userData).length>0&&(t.userData=this.userData),this.parameters!==void 0){const c=this.parameters;for(const l in c)c[l]!==void 0&&(t[l]=c[l]);return t}t.data={attributes:{}};const e=this.index;e!==null&&(t.data.index={type:e.array.constructor.name,array:Array.prototype.slice.call(e.array)});const n=this.attributes;for(const c in n){const l=n[c];t.data.attributes[c]=l.toJSON(t.data)}const s={};let r=!1;for(const c in this.morphAttributes){const l=this.morphAttributes[c],f=[];for(let h=0,u=l.length;h<u;h++){const p=l[h];f.push(p.toJSON(t.data))}f.length>0&&(s[c]=f,r=!0)}r&&(t.data.morphAttributes=s,t.data.morphTargetsRelative=this.morphTargetsRelative);const o=this.groups;o.length>0&&(t.data.groups=JSON.parse(JSON.stringify(o)));const a=this.boundingSphere;return a!==null&&(t.data.boundingSphere=a.toJSON()),t}clone(){return new this.constructor().copy(this)}copy(t){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;const e={};this.name=t.name;const n=t.index;n!==null&&this.setIndex(n.clone());const s=t.attributes;for(const l in s){const f=s[l];this.setAttribute(l,f.clone(e))}const r=t.morphAttributes;for(const l in r){const f=[],h=r[l];for(let u=0,p=h.length;u<p;u++)f.push(h[u].clone(e));this.morphAttributes[l]=f}this.morphTargetsRelative=t.morphTargetsRelative;const o=t.groups;for(let l=0,f=o.length;l<f;l++){const h=o[l];this.addGroup(h.start,h.count,h.materialIndex)}const a=t.boundingBox;a!==null&&(this.boundingBox=a.clone());const c=t.boundingSphere;return c!==null&&(this.boundingSphere=c.clone()),this.drawRange.start=t.drawRange.start,this.drawRange.count=t.drawRange.count,this.userData=t.userData,this}dispose(){this.dispatchEvent({type:"dispose"})}}const Su=new ye,bs=new Fa,Wo=new Fr,yu=new N,Xo=new N,Yo=new N,qo=new N,Rl=new N,Ko=new N,Eu=new N,jo=new N;class _n extends fn{constructor(t=new Dn,e=new Pi){super(),this.isMesh=!0,this.type="Mesh",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0&&(this.morphTargetInfluences=t.morphTargetInfluences.slice()),t.morphTargetDictionary!==void 0&&(this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary)),this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}updateMorphTargets(){const e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){const s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){const a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(t,e){const n=this.geometry,s=n.attributes.position,r=n.morphAttributes.position,o=n.morphTargetsRelative;e.fromBufferAttribute(s,t);const a=this.morphTargetInfluences;if(r&&a){Ko.set(0,0,0);for(let c=0,l=r.length;c<l;c++){const f=a[c],h=r[c];f!==0&&(Rl.fromBufferAttribute(h,t),o?Ko.addScaledVector(Rl,f):Ko.addScaledVector(Rl.sub(e),f))}e.add(Ko)}return e}raycast(t,e){const n=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),Wo.copy(n.boundingSphere),Wo.applyMatrix4(r),bs.copy(t.ray).recast(t.near),!(Wo.containsPoint(bs.origin)===!1&&(bs.intersectSphere(Wo,yu)===null||bs.origin.distanceToSquared(yu)>(t.far-t.near)**2))&&(Su.copy(r).invert(),bs.copy(t.ray).applyMatrix4(Su),!(n.boundingBox!==null&&bs.intersectsBox(n.boundingBox)===!1)&&this._computeIntersections(t,e,bs)))}_computeIntersections(t,e,n){let s;const r=this.geometry,o=this.material,a=r.index,c=r.attributes.position,l=r.attributes.uv,f=r.attributes.uv1,h=r.attributes.normal,u=r.groups,p=r.drawRange;if(a!==null)if(Array.isArray(o))for(let _=0,x=u.length;_<x;_++){const m=u[_],d=o[m.materialIndex],T=Math.max(m.start,p.start),A=Math.min(a.count,Math.min(m.start+m.count,p.start+p.count));for(let S=T,L=A;S<L;S+=3){const C=a.getX(S),U=a.getX(S+1),O=a.getX(S+2);s=$o(this,d,t,n,l,f,h,C,U,O),s&&(s.faceIndex=Math.floor(S/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{const _=Math.max(0,p.start),x=Math.min(a.count,p.start+p.count);for(let m=_,d=x;m<d;m+=3){const T=a.getX(m),A=a.getX(m+1),S=a.getX(m+2);s=$o(this,o,t,n,l,f,h,T,A,S),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}else if(c!==void 0)if(Array.isArray(o))for(let _=0,x=u.length;_<x;_++){const m=u[_],d=o[m.materialIndex],T=Math.max(m.start,p.start),A=Math.min(c.count,Math.min(m.start+m.count,p.start+p.count));for(let S=T,L=A;S<L;S+=3){const C=S,U=S+1,O=S+2;s=$o(this,d,t,n,l,f,h,C,U,O),s&&(s.faceIndex=Math.floor(S/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{const _=Math.max(0,p.start),x=Math.min(c.count,p.start+p.count);for(let m=_,d=x;m<d;m+=3){const T=m,A=m+1,S=m+2;s=$o(this,o,t,n,l,f,h,T,A,S),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}}}function gg(i,t,e,n,s,r,o,a){let c;if(t.side===Bn?c=n.intersectTriangle(o,r,s,!0,a):c=n.intersectTriangle(s,r,o,t.side===ds,a),c===null)return null;jo.copy(a),jo.applyMatrix4(i.matrixWorld);const l=e.ray.origin.distanceTo(jo);return l<e.near||l>e.far?null:{distance:l,point:jo.clone(),object:i}}function $o(i,t,e,n,s,r,o,a,c,l){i.getVertexPosition(a,Xo),i.getVertexPosition(c,Yo),i.getVertexPosition(l,qo);const f=gg(i,t,e,n,Xo,Yo,qo,Eu);if(f){const h=new N;si.getBarycoord(Eu,Xo,Yo,qo,h),s&&(f.uv=si.getInterpolatedAttribute(s,a,c,l,h,new Qt)),r&&(f.uv1=si.getInterpolatedAttribute(r,a,c,l,h,new Qt)),o&&(f.normal=si.getInterpolatedAttribute(o,a,c,l,h,new N),f.normal.dot(n.direction)>0&&f.normal.multiplyScalar(-1));const u={a,b:c,c:l,normal:new N,materialIndex:0};si.getNormal(Xo,Yo,qo,u.normal),f.face=u,f.barycoord=h}return f}class Or extends Dn{constructor(t=1,e=1,n=1,s=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:t,height:e,depth:n,widthSegments:s,heightSegments:r,depthSegments:o};const a=this;s=Math.floor(s),r=Math.floor(r),o=Math.floor(o);const c=[],l=[],f=[],h=[];let u=0,p=0;_("z","y","x",-1,-1,n,e,t,o,r,0),_("z","y","x",1,-1,n,e,-t,o,r,1),_("x","z","y",1,1,t,n,e,s,o,2),_("x","z","y",1,-1,t,n,-e,s,o,3),_("x","y","z",1,-1,t,e,n,s,r,4),_("x","y","z",-1,-1,t,e,-n,s,r,5),this.setIndex(c),this.setAttribute("position",new Qe(l,3)),this.setAttribute("normal",new Qe(f,3)),this.setAttribute("uv",new Qe(h,2));function _(x,m,d,T,A,S,L,C,U,O,b){const E=S/U,R=L/O,k=S/2,V=L/2,Y=C/2,W=U+1,K=O+1;let q=0,J=0;const ot=new N;for(let at=0;at<K;at++){const _t=at*R-V;for(let Mt=0;Mt<W;Mt++){const gt=Mt*E-k;ot[x]=gt*T,ot[m]=_t*A,ot[d]=Y,l.push(ot.x,ot.y,ot.z),ot[x]=0,ot[m]=0,ot[d]=C>0?1:-1,f.push(ot.x,ot.y,ot.z),h.push(Mt/U),h.push(1-at/O),q+=1}}for(let at=0;at<O;at++)for(let _t=0;_t<U;_t++){const Mt=u+_t+W*at,gt=u+_t+W*(at+1),te=u+(_t+1)+W*(at+1),jt=u+(_t+1)+W*at;c.push(Mt,gt,jt),c.push(gt,te,jt),J+=6}a.addGroup(p,J,b),p+=J,u+=q}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new Or(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}}function Cr(i){const t={};for(const e in i){t[e]={};for(const n in i[e]){const s=i[e][n];s&&(s.isColor||s.isMatrix3||s.isMatrix4||s.isVector2||s.isVector3||s.isVector4||s.isTexture||s.isQuaternion)?s.isRenderTargetTexture?(console.warn("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),t[e][n]=null):t[e][n]=s.clone():Array.isArray(s)?t[e][n]=s.slice():t[e][n]=s}}return t}function Rn(i){const t={};for(let e=0;e<i.length;e++){const n=Cr(i[e]);for(const s in n)t[s]=n[s]}return t}function _g(i){const t=[];for(let e=0;e<i.length;e++)t.push(i[e].clone());return t}function Dd(i){const t=i.getRenderTarget();return t===null?i.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:me.workingColorSpace}const vg={clone:Cr,merge:Rn};var xg=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,Mg=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`;class ps extends Ws{constructor(t){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=xg,this.fragmentShader=Mg,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,t!==void 0&&this.setValues(t)}copy(t){return super.copy(t),this.fragmentShader=t.fragmentShader,this.vertexShader=t.vertexShader,this.uniforms=Cr(t.uniforms),this.uniformsGroups=_g(t.uniformsGroups),this.defines=Object.assign({},t.defines),this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.fog=t.fog,this.lights=t.lights,this.clipping=t.clipping,this.extensions=Object.assign({},t.extensions),this.glslVersion=t.glslVersion,this}toJSON(t){const e=super.toJSON(t);e.glslVersion=this.glslVersion,e.uniforms={};for(const s in this.uniforms){const o=this.uniforms[s].value;o&&o.isTexture?e.uniforms[s]={type:"t",value:o.toJSON(t).uuid}:o&&o.isColor?e.uniforms[s]={type:"c",value:o.getHex()}:o&&o.isVector2?e.uniforms[s]={type:"v2",value:o.toArray()}:o&&o.isVector3?e.uniforms[s]={type:"v3",value:o.toArray()}:o&&o.isVector4?e.uniforms[s]={type:"v4",value:o.toArray()}:o&&o.isMatrix3?e.uniforms[s]={type:"m3",value:o.toArray()}:o&&o.isMatrix4?e.uniforms[s]={type:"m4",value:o.toArray()}:e.uniforms[s]={value:o}}Object.keys(this.defines).length>0&&(e.defines=this.defines),e.vertexShader=this.vertexShader,e.fragmentShader=this.fragmentShader,e.lights=this.lights,e.clipping=this.clipping;const n={};for(const s in this.extensions)this.extensions[s]===!0&&(n[s]=!0);return Object.keys(n).length>0&&(e.extensions=n),e}}class Ld extends fn{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new ye,this.projectionMatrix=new ye,this.projectionMatrixInverse=new ye,this.coordinateSystem=Ci,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(t,e){return super.copy(t,e),this.matrixWorldInverse.copy(t.matrixWorldInverse),this.projectionMatrix.copy(t.projectionMatrix),this.projectionMatrixInverse.copy(t.projectionMatrixInverse),this.coordinateSystem=t.coordinateSystem,this}getWorldDirection(t){return super.getWorldDirection(t).negate()}updateMatrixWorld(t){super.updateMatrixWorld(t),this.matrixWorldInverse.copy(this.matrixWorld).invert()}updateWorldMatrix(t,e){super.updateWorldMatrix(t,e),this.matrixWorldInverse.copy(this.matrixWorld).invert()}clone(){return new this.constructor().copy(this)}}const rs=new N,bu=new Qt,Tu=new Qt;class On extends Ld{constructor(t=50,e=1,n=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=t,this.zoom=1,this.near=n,this.far=s,this.focus=10,this.aspect=e,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.fov=t.fov,this.zoom=t.zoom,this.near=t.near,this.far=t.far,this.focus=t.focus,this.aspect=t.aspect,this.view=t.view===null?null:Object.assign({},t.view),this.filmGauge=t.filmGauge,this.filmOffset=t.filmOffset,this}setFocalLength(t){const e=.5*this.getFilmHeight()/t;this.fov=kc*2*Math.atan(e),this.updateProjectionMatrix()}getFocalLength(){const t=Math.tan(uo*.5*this.fov);return .5*this.getFilmHeight()/t}getEffectiveFOV(){return kc*2*Math.atan(Math.tan(uo*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(t,e,n){rs.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),e.set(rs.x,rs.y).multiplyScalar(-t/rs.z),rs.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(rs.x,rs.y).multiplyScalar(-t/rs.z)}getViewSize(t,e){return this.getViewBounds(t,bu,Tu),e.subVectors(Tu,bu)}setViewOffset(t,e,n,s,r,o){this.aspect=t/e,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){const t=this.near;let e=t*Math.tan(uo*.5*this.fov)/this.zoom,n=2*e,s=this.aspect*n,r=-.5*s;const o=this.view;if(this.view!==null&&this.view.enabled){const c=o.fullWidth,l=o.fullHeight;r+=o.offsetX*s/c,e-=o.offsetY*n/l,s*=o.width/c,n*=o.height/l}const a=this.filmOffset;a!==0&&(r+=t*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,e,e-n,t,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){const e=super.toJSON(t);return e.object.fov=this.fov,e.object.zoom=this.zoom,e.object.near=this.near,e.object.far=this.far,e.object.focus=this.focus,e.object.aspect=this.aspect,this.view!==null&&(e.object.view=Object.assign({},this.view)),e.object.filmGauge=this.filmGauge,e.object.filmOffset=this.filmOffset,e}}const fr=-90,dr=1;class Sg extends fn{constructor(t,e,n){super(),this.type="CubeCamera",this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;const s=new On(fr,dr,t,e);s.layers=this.layers,this.add(s);const r=new On(fr,dr,t,e);r.layers=this.layers,this.add(r);const o=new On(fr,dr,t,e);o.layers=this.layers,this.add(o);const a=new On(fr,dr,t,e);a.layers=this.layers,this.add(a);const c=new On(fr,dr,t,e);c.layers=this.layers,this.add(c);const l=new On(fr,dr,t,e);l.layers=this.layers,this.add(l)}updateCoordinateSystem(){const t=this.coordinateSystem,e=this.children.concat(),[n,s,r,o,a,c]=e;for(const l of e)this.remove(l);if(t===Ci)n.up.set(0,1,0),n.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),o.up.set(0,0,1),o.lookAt(0,-1,0),a.up.set(0,1,0),a.lookAt(0,0,1),c.up.set(0,1,0),c.lookAt(0,0,-1);else if(t===Ea)n.up.set(0,-1,0),n.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),o.up.set(0,0,-1),o.lookAt(0,-1,0),a.up.set(0,-1,0),a.lookAt(0,0,1),c.up.set(0,-1,0),c.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+t);for(const l of e)this.add(l),l.updateMatrixWorld()}update(t,e){this.parent===null&&this.updateMatrixWorld();const{renderTarget:n,activeMipmapLevel:s}=this;this.coordinateSystem!==t.coordinateSystem&&(this.coordinateSystem=t.coordinateSystem,this.updateCoordinateSystem());const[r,o,a,c,l,f]=this.children,h=t.getRenderTarget(),u=t.getActiveCubeFace(),p=t.getActiveMipmapLevel(),_=t.xr.enabled;t.xr.enabled=!1;const x=n.texture.generateMipmaps;n.texture.generateMipmaps=!1,t.setRenderTarget(n,0,s),t.render(e,r),t.setRenderTarget(n,1,s),t.render(e,o),t.setRenderTarget(n,2,s),t.render(e,a),t.setRenderTarget(n,3,s),t.render(e,c),t.setRenderTarget(n,4,s),t.render(e,l),n.texture.generateMipmaps=x,t.setRenderTarget(n,5,s),t.render(e,f),t.setRenderTarget(h,u,p),t.xr.enabled=_,n.texture.needsPMREMUpdate=!0}}class Ud extends Pn{constructor(t=[],e=wr,n,s,r,o,a,c,l,f){super(t,e,n,s,r,o,a,c,l,f),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(t){this.image=t}}class yg extends zs{constructor(t=1,e={}){super(t,t,e),this.isWebGLCubeRenderTarget=!0;const n={width:t,height:t,depth:1},s=[n,n,n,n,n,n];this.texture=new Ud(s),this._setTextureOptions(e),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(t,e){this.texture.type=e.type,this.texture.colorSpace=e.colorSpace,this.texture.generateMipmaps=e.generateMipmaps,this.texture.minFilter=e.minFilter,this.texture.magFilter=e.magFilter;const n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},s=new Or(5,5,5),r=new ps({name:"CubemapFromEquirect",uniforms:Cr(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:Bn,blending:cs});r.uniforms.tEquirect.value=e;const o=new _n(s,r),a=e.minFilter;return e.minFilter===Ns&&(e.minFilter=_i),new Sg(1,10,this).update(t,o),e.minFilter=a,o.geometry.dispose(),o.material.dispose(),this}clear(t,e=!0,n=!0,s=!0){const r=t.getRenderTarget();for(let o=0;o<6;o++)t.setRenderTarget(this,o),t.clear(e,n,s);t.setRenderTarget(r)}}class Gi extends fn{constructor(){super(),this.isGroup=!0,this.type="Group"}}const Eg={type:"move"};class Cl{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new Gi,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new Gi,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new N,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new N),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new Gi,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new N,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new N),this._grip}dispatchEvent(t){return this._targetRay!==null&&this._targetRay.dispatchEvent(t),this._grip!==null&&this._grip.dispatchEvent(t),this._hand!==null&&this._hand.dispatchEvent(t),this}connect(t){if(t&&t.hand){const e=this._hand;if(e)for(const n of t.hand.values())this._getHandJoint(e,n)}return this.dispatchEvent({type:"connected",data:t}),this}disconnect(t){return this.dispatchEvent({type:"disconnected",data:t}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(t,e,n){let s=null,r=null,o=null;const a=this._targetRay,c=this._grip,l=this._hand;if(t&&e.session.visibilityState!=="visible-blurred"){if(l&&t.hand){o=!0;for(const x of t.hand.values()){const m=e.getJointPose(x,n),d=this._getHandJoint(l,x);m!==null&&(d.matrix.fromArray(m.transform.matrix),d.matrix.decompose(d.position,d.rotation,d.scale),d.matrixWorldNeedsUpdate=!0,d.jointRadius=m.radius),d.visible=m!==null}const f=l.joints["index-finger-tip"],h=l.joints["thumb-tip"],u=f.position.distanceTo(h.position),p=.02,_=.005;l.inputState.pinching&&u>p+_?(l.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:t.handedness,target:this})):!l.inputState.pinching&&u<=p-_&&(l.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:t.handedness,target:this}))}else c!==null&&t.gripSpace&&(r=e.getPose(t.gripSpace,n),r!==null&&(c.matrix.fromArray(r.transform.matrix),c.matrix.decompose(c.position,c.rotation,c.scale),c.matrixWorldNeedsUpdate=!0,r.linearVelocity?(c.hasLinearVelocity=!0,c.linearVelocity.copy(r.linearVelocity)):c.hasLinearVelocity=!1,r.angularVelocity?(c.hasAngularVelocity=!0,c.angularVelocity.copy(r.angularVelocity)):c.hasAngularVelocity=!1));a!==null&&(s=e.getPose(t.targetRaySpace,n),s===null&&r!==null&&(s=r),s!==null&&(a.matrix.fromArray(s.transform.matrix),a.matrix.decompose(a.position,a.rotation,a.scale),a.matrixWorldNeedsUpdate=!0,s.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(s.linearVelocity)):a.hasLinearVelocity=!1,s.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(s.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(Eg)))}return a!==null&&(a.visible=s!==null),c!==null&&(c.visible=r!==null),l!==null&&(l.visible=o!==null),this}_getHandJoint(t,e){if(t.joints[e.jointName]===void 0){const n=new Gi;n.matrixAutoUpdate=!1,n.visible=!1,t.joints[e.jointName]=n,t.add(n)}return t.joints[e.jointName]}}class bg extends fn{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new xi,this.environmentIntensity=1,this.environmentRotation=new xi,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(t,e){return super.copy(t,e),t.background!==null&&(this.background=t.background.clone()),t.environment!==null&&(this.environment=t.environment.clone()),t.fog!==null&&(this.fog=t.fog.clone()),this.backgroundBlurriness=t.backgroundBlurriness,this.backgroundIntensity=t.backgroundIntensity,this.backgroundRotation.copy(t.backgroundRotation),this.environmentIntensity=t.environmentIntensity,this.environmentRotation.copy(t.environmentRotation),t.overrideMaterial!==null&&(this.overrideMaterial=t.overrideMaterial.clone()),this.matrixAutoUpdate=t.matrixAutoUpdate,this}toJSON(t){const e=super.toJSON(t);return this.fog!==null&&(e.object.fog=this.fog.toJSON()),this.backgroundBlurriness>0&&(e.object.backgroundBlurriness=this.backgroundBlurriness),this.backgroundIntensity!==1&&(e.object.backgroundIntensity=this.backgroundIntensity),e.object.backgroundRotation=this.backgroundRotation.toArray(),this.environmentIntensity!==1&&(e.object.environmentIntensity=this.environmentIntensity),e.object.environmentRotation=this.environmentRotation.toArray(),e}}class Id extends Pn{constructor(t=null,e=1,n=1,s,r,o,a,c,l=Kn,f=Kn,h,u){super(null,o,a,c,l,f,s,r,h,u),this.isDataTexture=!0,this.image={data:t,width:e,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}}class wu extends un{constructor(t,e,n,s=1){super(t,e,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=s}copy(t){return super.copy(t),this.meshPerAttribute=t.meshPerAttribute,this}toJSON(){const t=super.toJSON();return t.meshPerAttribute=this.meshPerAttribute,t.isInstancedBufferAttribute=!0,t}}const pr=new ye,Au=new ye,Zo=[],Ru=new Di,Tg=new ye,to=new _n,eo=new Fr;class Ta extends _n{constructor(t,e,n){super(t,e),this.isInstancedMesh=!0,this.instanceMatrix=new wu(new Float32Array(n*16),16),this.instanceColor=null,this.morphTexture=null,this.count=n,this.boundingBox=null,this.boundingSphere=null;for(let s=0;s<n;s++)this.setMatrixAt(s,Tg)}computeBoundingBox(){const t=this.geometry,e=this.count;this.boundingBox===null&&(this.boundingBox=new Di),t.boundingBox===null&&t.computeBoundingBox(),this.boundingBox.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,pr),Ru.copy(t.boundingBox).applyMatrix4(pr),this.boundingBox.union(Ru)}computeBoundingSphere(){const t=this.geometry,e=this.count;this.boundingSphere===null&&(this.boundingSphere=new Fr),t.boundingSphere===null&&t.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,pr),eo.copy(t.boundingSphere).applyMatrix4(pr),this.boundingSphere.union(eo)}copy(t,e){return super.copy(t,e),this.instanceMatrix.copy(t.instanceMatrix),t.morphTexture!==null&&(this.morphTexture=t.morphTexture.clone()),t.instanceColor!==null&&(this.instanceColor=t.instanceColor.clone()),this.count=t.count,t.boundingBox!==null&&(this.boundingBox=t.boundingBox.clone()),t.boundingSphere!==null&&(this.boundingSphere=t.boundingSphere.clone()),this}getColorAt(t,e){e.fromArray(this.instanceColor.array,t*3)}getMatrixAt(t,e){e.fromArray(this.instanceMatrix.array,t*16)}getMorphAt(t,e){const n=e.morphTargetInfluences,s=this.morphTexture.source.data.data,r=n.length+1,o=t*r+1;for(let a=0;a<n.length;a++)n[a]=s[o+a]}raycast(t,e){const n=this.matrixWorld,s=this.count;if(to.geometry=this.geometry,to.material=this.material,to.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),eo.copy(this.boundingSphere),eo.applyMatrix4(n),t.ray.intersectsSphere(eo)!==!1))for(let r=0;r<s;r++){this.getMatrixAt(r,pr),Au.multiplyMatrices(n,pr),to.matrixWorld=Au,to.raycast(t,Zo);for(let o=0,a=Zo.length;o<a;o++){const c=Zo[o];c.instanceId=r,c.object=this,e.push(c)}Zo.length=0}}setColorAt(t,e){this.instanceColor===null&&(this.instanceColor=new wu(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),e.toArray(this.instanceColor.array,t*3)}setMatrixAt(t,e){e.toArray(this.instanceMatrix.array,t*16)}setMorphAt(t,e){const n=e.morphTargetInfluences,s=n.length+1;this.morphTexture===null&&(this.morphTexture=new Id(new Float32Array(s*this.count),s,this.count,lh,Ri));const r=this.morphTexture.source.data.data;let o=0;for(let l=0;l<n.length;l++)o+=n[l];const a=this.geometry.morphTargetsRelative?1:1-o,c=s*t;r[c]=a,r.set(n,c+1)}updateMorphTargets(){}dispose(){this.dispatchEvent({type:"dispose"}),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null)}}const Pl=new N,wg=new N,Ag=new ie;class Vi{constructor(t=new N(1,0,0),e=0){this.isPlane=!0,this.normal=t,this.constant=e}set(t,e){return this.normal.copy(t),this.constant=e,this}setComponents(t,e,n,s){return this.normal.set(t,e,n),this.constant=s,this}setFromNormalAndCoplanarPoint(t,e){return this.normal.copy(t),this.constant=-e.dot(this.normal),this}setFromCoplanarPoints(t,e,n){const s=Pl.subVectors(n,e).cross(wg.subVectors(t,e)).normalize();return this.setFromNormalAndCoplanarPoint(s,t),this}copy(t){return this.normal.copy(t.normal),this.constant=t.constant,this}normalize(){const t=1/this.normal.length();return this.normal.multiplyScalar(t),this.constant*=t,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(t){return this.normal.dot(t)+this.constant}distanceToSphere(t){return this.distanceToPoint(t.center)-t.radius}projectPoint(t,e){return e.copy(t).addScaledVector(this.normal,-this.distanceToPoint(t))}intersectLine(t,e){const n=t.delta(Pl),s=this.normal.dot(n);if(s===0)return this.distanceToPoint(t.start)===0?e.copy(t.start):null;const r=-(t.start.dot(this.normal)+this.constant)/s;return r<0||r>1?null:e.copy(t.start).addScaledVector(n,r)}intersectsLine(t){const e=this.distanceToPoint(t.start),n=this.distanceToPoint(t.end);return e<0&&n>0||n<0&&e>0}intersectsBox(t){return t.intersectsPlane(this)}intersectsSphere(t){return t.intersectsPlane(this)}coplanarPoint(t){return t.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(t,e){const n=e||Ag.getNormalMatrix(t),s=this.coplanarPoint(Pl).applyMatrix4(t),r=this.normal.applyMatrix3(n).normalize();return this.constant=-s.dot(r),this}translate(t){return this.constant-=t.dot(this.normal),this}equals(t){return t.normal.equals(this.normal)&&t.constant===this.constant}clone(){return new this.constructor().copy(this)}}const Ts=new Fr,Rg=new Qt(.5,.5),Jo=new N;class mh{constructor(t=new Vi,e=new Vi,n=new Vi,s=new Vi,r=new Vi,o=new Vi){this.planes=[t,e,n,s,r,o]}set(t,e,n,s,r,o){const a=this.planes;return a[0].copy(t),a[1].copy(e),a[2].copy(n),a[3].copy(s),a[4].copy(r),a[5].copy(o),this}copy(t){const e=this.planes;for(let n=0;n<6;n++)e[n].copy(t.planes[n]);return this}setFromProjectionMatrix(t,e=Ci,n=!1){const s=this.planes,r=t.elements,o=r[0],a=r[1],c=r[2],l=r[3],f=r[4],h=r[5],u=r[6],p=r[7],_=r[8],x=r[9],m=r[10],d=r[11],T=r[12],A=r[13],S=r[14],L=r[15];if(s[0].setComponents(l-o,p-f,d-_,L-T).normalize(),s[1].setComponents(l+o,p+f,d+_,L+T).normalize(),s[2].setComponents(l+a,p+h,d+x,L+A).normalize(),s[3].setComponents(l-a,p-h,d-x,L-A).normalize(),n)s[4].setComponents(c,u,m,S).normalize(),s[5].setComponents(l-c,p-u,d-m,L-S).normalize();else if(s[4].setComponents(l-c,p-u,d-m,L-S).normalize(),e===Ci)s[5].setComponents(l+c,p+u,d+m,L+S).normalize();else if(e===Ea)s[5].setComponents(c,u,m,S).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+e);return this}intersectsObject(t){if(t.boundingSphere!==void 0)t.boundingSphere===null&&t.computeBoundingSphere(),Ts.copy(t.boundingSphere).applyMatrix4(t.matrixWorld);else{const e=t.geometry;e.boundingSphere===null&&e.computeBoundingSphere(),Ts.copy(e.boundingSphere).applyMatrix4(t.matrixWorld)}return this.intersectsSphere(Ts)}intersectsSprite(t){Ts.center.set(0,0,0);const e=Rg.distanceTo(t.center);return Ts.radius=.7071067811865476+e,Ts.applyMatrix4(t.matrixWorld),this.intersectsSphere(Ts)}intersectsSphere(t){const e=this.planes,n=t.center,s=-t.radius;for(let r=0;r<6;r++)if(e[r].distanceToPoint(n)<s)return!1;return!0}intersectsBox(t){const e=this.planes;for(let n=0;n<6;n++){const s=e[n];if(Jo.x=s.normal.x>0?t.max.x:t.min.x,Jo.y=s.normal.y>0?t.max.y:t.min.y,Jo.z=s.normal.z>0?t.max.z:t.min.z,s.distanceToPoint(Jo)<0)return!1}return!0}containsPoint(t){const e=this.planes;for(let n=0;n<6;n++)if(e[n].distanceToPoint(t)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}}class Hc extends Ws{constructor(t){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new ne(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.linewidth=t.linewidth,this.linecap=t.linecap,this.linejoin=t.linejoin,this.fog=t.fog,this}}const wa=new N,Aa=new N,Cu=new ye,no=new Fa,Qo=new Fr,Dl=new N,Pu=new N;class Cg extends fn{constructor(t=new Dn,e=new Hc){super(),this.isLine=!0,this.type="Line",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}computeLineDistances(){const t=this.geometry;if(t.index===null){const e=t.attributes.position,n=[0];for(let s=1,r=e.count;s<r;s++)wa.fromBufferAttribute(e,s-1),Aa.fromBufferAttribute(e,s),n[s]=n[s-1],n[s]+=wa.distanceTo(Aa);t.setAttribute("lineDistance",new Qe(n,1))}else console.warn("THREE.Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}raycast(t,e){const n=this.geometry,s=this.matrixWorld,r=t.params.Line.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),Qo.copy(n.boundingSphere),Qo.applyMatrix4(s),Qo.radius+=r,t.ray.intersectsSphere(Qo)===!1)return;Cu.copy(s).invert(),no.copy(t.ray).applyMatrix4(Cu);const a=r/((this.scale.x+this.scale.y+this.scale.z)/3),c=a*a,l=this.isLineSegments?2:1,f=n.index,u=n.attributes.position;if(f!==null){const p=Math.max(0,o.start),_=Math.min(f.count,o.start+o.count);for(let x=p,m=_-1;x<m;x+=l){const d=f.getX(x),T=f.getX(x+1),A=ta(this,t,no,c,d,T,x);A&&e.push(A)}if(this.isLineLoop){const x=f.getX(_-1),m=f.getX(p),d=ta(this,t,no,c,x,m,_-1);d&&e.push(d)}}else{const p=Math.max(0,o.start),_=Math.min(u.count,o.start+o.count);for(let x=p,m=_-1;x<m;x+=l){const d=ta(this,t,no,c,x,x+1,x);d&&e.push(d)}if(this.isLineLoop){const x=ta(this,t,no,c,_-1,p,_-1);x&&e.push(x)}}}updateMorphTargets(){const e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){const s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){const a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}}function ta(i,t,e,n,s,r,o){const a=i.geometry.attributes.position;if(wa.fromBufferAttribute(a,s),Aa.fromBufferAttribute(a,r),e.distanceSqToSegment(wa,Aa,Dl,Pu)>n)return;Dl.applyMatrix4(i.matrixWorld);const l=t.ray.origin.distanceTo(Dl);if(!(l<t.near||l>t.far))return{distance:l,point:Pu.clone().applyMatrix4(i.matrixWorld),index:o,face:null,faceIndex:null,barycoord:null,object:i}}const Du=new N,Lu=new N;class Uu extends Cg{constructor(t,e){super(t,e),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){const t=this.geometry;if(t.index===null){const e=t.attributes.position,n=[];for(let s=0,r=e.count;s<r;s+=2)Du.fromBufferAttribute(e,s),Lu.fromBufferAttribute(e,s+1),n[s]=s===0?0:n[s-1],n[s+1]=n[s]+Du.distanceTo(Lu);t.setAttribute("lineDistance",new Qe(n,1))}else console.warn("THREE.LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}}class Nd extends Pn{constructor(t,e,n=Bs,s,r,o,a=Kn,c=Kn,l,f=Mo,h=1){if(f!==Mo&&f!==So)throw new Error("DepthTexture format must be either THREE.DepthFormat or THREE.DepthStencilFormat");const u={width:t,height:e,depth:h};super(u,s,r,o,a,c,f,n,l),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(t){return super.copy(t),this.source=new dh(Object.assign({},t.image)),this.compareFunction=t.compareFunction,this}toJSON(t){const e=super.toJSON(t);return this.compareFunction!==null&&(e.compareFunction=this.compareFunction),e}}class Fd extends Pn{constructor(t=null){super(),this.sourceTexture=t,this.isExternalTexture=!0}copy(t){return super.copy(t),this.sourceTexture=t.sourceTexture,this}}class Br extends Dn{constructor(t=1,e=1,n=1,s=32,r=1,o=!1,a=0,c=Math.PI*2){super(),this.type="CylinderGeometry",this.parameters={radiusTop:t,radiusBottom:e,height:n,radialSegments:s,heightSegments:r,openEnded:o,thetaStart:a,thetaLength:c};const l=this;s=Math.floor(s),r=Math.floor(r);const f=[],h=[],u=[],p=[];let _=0;const x=[],m=n/2;let d=0;T(),o===!1&&(t>0&&A(!0),e>0&&A(!1)),this.setIndex(f),this.setAttribute("position",new Qe(h,3)),this.setAttribute("normal",new Qe(u,3)),this.setAttribute("uv",new Qe(p,2));function T(){const S=new N,L=new N;let C=0;const U=(e-t)/n;for(let O=0;O<=r;O++){const b=[],E=O/r,R=E*(e-t)+t;for(let k=0;k<=s;k++){const V=k/s,Y=V*c+a,W=Math.sin(Y),K=Math.cos(Y);L.x=R*W,L.y=-E*n+m,L.z=R*K,h.push(L.x,L.y,L.z),S.set(W,U,K).normalize(),u.push(S.x,S.y,S.z),p.push(V,1-E),b.push(_++)}x.push(b)}for(let O=0;O<s;O++)for(let b=0;b<r;b++){const E=x[b][O],R=x[b+1][O],k=x[b+1][O+1],V=x[b][O+1];(t>0||b!==0)&&(f.push(E,R,V),C+=3),(e>0||b!==r-1)&&(f.push(R,k,V),C+=3)}l.addGroup(d,C,0),d+=C}function A(S){const L=_,C=new Qt,U=new N;let O=0;const b=S===!0?t:e,E=S===!0?1:-1;for(let k=1;k<=s;k++)h.push(0,m*E,0),u.push(0,E,0),p.push(.5,.5),_++;const R=_;for(let k=0;k<=s;k++){const Y=k/s*c+a,W=Math.cos(Y),K=Math.sin(Y);U.x=b*K,U.y=m*E,U.z=b*W,h.push(U.x,U.y,U.z),u.push(0,E,0),C.x=W*.5+.5,C.y=K*.5*E+.5,p.push(C.x,C.y),_++}for(let k=0;k<s;k++){const V=L+k,Y=R+k;S===!0?f.push(Y,Y+1,V):f.push(Y+1,Y,V),O+=3}l.addGroup(d,O,S===!0?1:2),d+=O}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new Br(t.radiusTop,t.radiusBottom,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}}class Ra extends Br{constructor(t=1,e=1,n=32,s=1,r=!1,o=0,a=Math.PI*2){super(0,t,e,n,s,r,o,a),this.type="ConeGeometry",this.parameters={radius:t,height:e,radialSegments:n,heightSegments:s,openEnded:r,thetaStart:o,thetaLength:a}}static fromJSON(t){return new Ra(t.radius,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}}const ea=new N,na=new N,Ll=new N,ia=new si;class Pg extends Dn{constructor(t=null,e=1){if(super(),this.type="EdgesGeometry",this.parameters={geometry:t,thresholdAngle:e},t!==null){const s=Math.pow(10,4),r=Math.cos(uo*e),o=t.getIndex(),a=t.getAttribute("position"),c=o?o.count:a.count,l=[0,0,0],f=["a","b","c"],h=new Array(3),u={},p=[];for(let _=0;_<c;_+=3){o?(l[0]=o.getX(_),l[1]=o.getX(_+1),l[2]=o.getX(_+2)):(l[0]=_,l[1]=_+1,l[2]=_+2);const{a:x,b:m,c:d}=ia;if(x.fromBufferAttribute(a,l[0]),m.fromBufferAttribute(a,l[1]),d.fromBufferAttribute(a,l[2]),ia.getNormal(Ll),h[0]=`${Math.round(x.x*s)},${Math.round(x.y*s)},${Math.round(x.z*s)}`,h[1]=`${Math.round(m.x*s)},${Math.round(m.y*s)},${Math.round(m.z*s)}`,h[2]=`${Math.round(d.x*s)},${Math.round(d.y*s)},${Math.round(d.z*s)}`,!(h[0]===h[1]||h[1]===h[2]||h[2]===h[0]))for(let T=0;T<3;T++){const A=(T+1)%3,S=h[T],L=h[A],C=ia[f[T]],U=ia[f[A]],O=`${S}_${L}`,b=`${L}_${S}`;b in u&&u[b]?(Ll.dot(u[b].normal)<=r&&(p.push(C.x,C.y,C.z),p.push(U.x,U.y,U.z)),u[b]=null):O in u||(u[O]={index0:l[T],index1:l[A],normal:Ll.clone()})}}for(const _ in u)if(u[_]){const{index0:x,index1:m}=u[_];ea.fromBufferAttribute(a,x),na.fromBufferAttribute(a,m),p.push(ea.x,ea.y,ea.z),p.push(na.x,na.y,na.z)}this.setAttribute("position",new Qe(p,3))}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}}class Oa extends Dn{constructor(t=1,e=1,n=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:t,height:e,widthSegments:n,heightSegments:s};const r=t/2,o=e/2,a=Math.floor(n),c=Math.floor(s),l=a+1,f=c+1,h=t/a,u=e/c,p=[],_=[],x=[],m=[];for(let d=0;d<f;d++){const T=d*u-o;for(let A=0;A<l;A++){const S=A*h-r;_.push(S,-T,0),x.push(0,0,1),m.push(A/a),m.push(1-d/c)}}for(let d=0;d<c;d++)for(let T=0;T<a;T++){const A=T+l*d,S=T+l*(d+1),L=T+1+l*(d+1),C=T+1+l*d;p.push(A,S,C),p.push(S,L,C)}this.setIndex(p),this.setAttribute("position",new Qe(_,3)),this.setAttribute("normal",new Qe(x,3)),this.setAttribute("uv",new Qe(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new Oa(t.width,t.height,t.widthSegments,t.heightSegments)}}class ks extends Dn{constructor(t=1,e=32,n=16,s=0,r=Math.PI*2,o=0,a=Math.PI){super(),this.type="SphereGeometry",this.parameters={radius:t,widthSegments:e,heightSegments:n,phiStart:s,phiLength:r,thetaStart:o,thetaLength:a},e=Math.max(3,Math.floor(e)),n=Math.max(2,Math.floor(n));const c=Math.min(o+a,Math.PI);let l=0;const f=[],h=new N,u=new N,p=[],_=[],x=[],m=[];for(let d=0;d<=n;d++){const T=[],A=d/n;let S=0;d===0&&o===0?S=.5/e:d===n&&c===Math.PI&&(S=-.5/e);for(let L=0;L<=e;L++){const C=L/e;h.x=-t*Math.cos(s+C*r)*Math.sin(o+A*a),h.y=t*Math.cos(o+A*a),h.z=t*Math.sin(s+C*r)*Math.sin(o+A*a),_.push(h.x,h.y,h.z),u.copy(h).normalize(),x.push(u.x,u.y,u.z),m.push(C+S,1-A),T.push(l++)}f.push(T)}for(let d=0;d<n;d++)for(let T=0;T<e;T++){const A=f[d][T+1],S=f[d][T],L=f[d+1][T],C=f[d+1][T+1];(d!==0||o>0)&&p.push(A,S,C),(d!==n-1||c<Math.PI)&&p.push(S,L,C)}this.setIndex(p),this.setAttribute("position",new Qe(_,3)),this.setAttribute("normal",new Qe(x,3)),this.setAttribute("uv",new Qe(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new ks(t.radius,t.widthSegments,t.heightSegments,t.phiStart,t.phiLength,t.thetaStart,t.thetaLength)}}class gh extends Dn{constructor(t=1,e=.4,n=12,s=48,r=Math.PI*2){super(),this.type="TorusGeometry",this.parameters={radius:t,tube:e,radialSegments:n,tubularSegments:s,arc:r},n=Math.floor(n),s=Math.floor(s);const o=[],a=[],c=[],l=[],f=new N,h=new N,u=new N;for(let p=0;p<=n;p++)for(let _=0;_<=s;_++){const x=_/s*r,m=p/n*Math.PI*2;h.x=(t+e*Math.cos(m))*Math.cos(x),h.y=(t+e*Math.cos(m))*Math.sin(x),h.z=e*Math.sin(m),a.push(h.x,h.y,h.z),f.x=t*Math.cos(x),f.y=t*Math.sin(x),u.subVectors(h,f).normalize(),c.push(u.x,u.y,u.z),l.push(_/s),l.push(p/n)}for(let p=1;p<=n;p++)for(let _=1;_<=s;_++){const x=(s+1)*p+_-1,m=(s+1)*(p-1)+_-1,d=(s+1)*(p-1)+_,T=(s+1)*p+_;o.push(x,m,T),o.push(m,d,T)}this.setIndex(o),this.setAttribute("position",new Qe(a,3)),this.setAttribute("normal",new Qe(c,3)),this.setAttribute("uv",new Qe(l,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new gh(t.radius,t.tube,t.radialSegments,t.tubularSegments,t.arc)}}class Dg extends Ws{constructor(t){super(),this.isMeshStandardMaterial=!0,this.type="MeshStandardMaterial",this.defines={STANDARD:""},this.color=new ne(16777215),this.roughness=1,this.metalness=0,this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new ne(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=fh,this.normalScale=new Qt(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.roughnessMap=null,this.metalnessMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new xi,this.envMapIntensity=1,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.defines={STANDARD:""},this.color.copy(t.color),this.roughness=t.roughness,this.metalness=t.metalness,this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.emissive.copy(t.emissive),this.emissiveMap=t.emissiveMap,this.emissiveIntensity=t.emissiveIntensity,this.bumpMap=t.bumpMap,this.bumpScale=t.bumpScale,this.normalMap=t.normalMap,this.normalMapType=t.normalMapType,this.normalScale.copy(t.normalScale),this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.roughnessMap=t.roughnessMap,this.metalnessMap=t.metalnessMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.envMapIntensity=t.envMapIntensity,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.flatShading=t.flatShading,this.fog=t.fog,this}}class Lg extends Ws{constructor(t){super(),this.isMeshLambertMaterial=!0,this.type="MeshLambertMaterial",this.color=new ne(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new ne(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=fh,this.normalScale=new Qt(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new xi,this.combine=sh,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.emissive.copy(t.emissive),this.emissiveMap=t.emissiveMap,this.emissiveIntensity=t.emissiveIntensity,this.bumpMap=t.bumpMap,this.bumpScale=t.bumpScale,this.normalMap=t.normalMap,this.normalMapType=t.normalMapType,this.normalScale.copy(t.normalScale),this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.flatShading=t.flatShading,this.fog=t.fog,this}}class Ug extends Ws{constructor(t){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=km,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(t)}copy(t){return super.copy(t),this.depthPacking=t.depthPacking,this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this}}class Ig extends Ws{constructor(t){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(t)}copy(t){return super.copy(t),this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this}}class Od extends fn{constructor(t,e=1){super(),this.isLight=!0,this.type="Light",this.color=new ne(t),this.intensity=e}dispose(){}copy(t,e){return super.copy(t,e),this.color.copy(t.color),this.intensity=t.intensity,this}toJSON(t){const e=super.toJSON(t);return e.object.color=this.color.getHex(),e.object.intensity=this.intensity,this.groundColor!==void 0&&(e.object.groundColor=this.groundColor.getHex()),this.distance!==void 0&&(e.object.distance=this.distance),this.angle!==void 0&&(e.object.angle=this.angle),this.decay!==void 0&&(e.object.decay=this.decay),this.penumbra!==void 0&&(e.object.penumbra=this.penumbra),this.shadow!==void 0&&(e.object.shadow=this.shadow.toJSON()),this.target!==void 0&&(e.object.target=this.target.uuid),e}}class Ng extends Od{constructor(t,e,n){super(t,n),this.isHemisphereLight=!0,this.type="HemisphereLight",this.position.copy(fn.DEFAULT_UP),this.updateMatrix(),this.groundColor=new ne(e)}copy(t,e){return super.copy(t,e),this.groundColor.copy(t.groundColor),this}}const Ul=new ye,Iu=new N,Nu=new N;class Fg{constructor(t){this.camera=t,this.intensity=1,this.bias=0,this.normalBias=0,this.radius=1,this.blurSamples=8,this.mapSize=new Qt(512,512),this.mapType=Li,this.map=null,this.mapPass=null,this.matrix=new ye,this.autoUpdate=!0,this.needsUpdate=!1,this._frustum=new mh,this._frameExtents=new Qt(1,1),this._viewportCount=1,this._viewports=[new Xe(0,0,1,1)]}getViewportCount(){return this._viewportCount}getFrustum(){return this._frustum}updateMatrices(t){const e=this.camera,n=this.matrix;Iu.setFromMatrixPosition(t.matrixWorld),e.position.copy(Iu),Nu.setFromMatrixPosition(t.target.matrixWorld),e.lookAt(Nu),e.updateMatrixWorld(),Ul.multiplyMatrices(e.projectionMatrix,e.matrixWorldInverse),this._frustum.setFromProjectionMatrix(Ul,e.coordinateSystem,e.reversedDepth),e.reversedDepth?n.set(.5,0,0,.5,0,.5,0,.5,0,0,1,0,0,0,0,1):n.set(.5,0,0,.5,0,.5,0,.5,0,0,.5,.5,0,0,0,1),n.multiply(Ul)}getViewport(t){return this._viewports[t]}getFrameExtents(){return this._frameExtents}dispose(){this.map&&this.map.dispose(),this.mapPass&&this.mapPass.dispose()}copy(t){return this.camera=t.camera.clone(),this.intensity=t.intensity,this.bias=t.bias,this.radius=t.radius,this.autoUpdate=t.autoUpdate,this.needsUpdate=t.needsUpdate,this.normalBias=t.normalBias,this.blurSamples=t.blurSamples,this.mapSize.copy(t.mapSize),this}clone(){return new this.constructor().copy(this)}toJSON(){const t={};return this.intensity!==1&&(t.intensity=this.intensity),this.bias!==0&&(t.bias=this.bias),this.normalBias!==0&&(t.normalBias=this.normalBias),this.radius!==1&&(t.radius=this.radius),(this.mapSize.x!==512||this.mapSize.y!==512)&&(t.mapSize=this.mapSize.toArray()),t.camera=this.camera.toJSON(!1).object,delete t.camera.matrix,t}}class Bd extends Ld{constructor(t=-1,e=1,n=1,s=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=t,this.right=e,this.top=n,this.bottom=s,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.left=t.left,this.right=t.right,this.top=t.top,this.bottom=t.bottom,this.near=t.near,this.far=t.far,this.zoom=t.zoom,this.view=t.view===null?null:Object.assign({},t.view),this}setViewOffset(t,e,n,s,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){const t=(this.right-this.left)/(2*this.zoom),e=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,s=(this.top+this.bottom)/2;let r=n-t,o=n+t,a=s+e,c=s-e;if(this.view!==null&&this.view.enabled){const l=(this.right-this.left)/this.view.fullWidth/this.zoom,f=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=l*this.view.offsetX,o=r+l*this.view.width,a-=f*this.view.offsetY,c=a-f*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,c,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){const e=super.toJSON(t);return e.object.zoom=this.zoom,e.object.left=this.left,e.object.right=this.right,e.object.top=this.top,e.object.bottom=this.bottom,e.object.near=this.near,e.object.far=this.far,this.view!==null&&(e.object.view=Object.assign({},this.view)),e}}class Og extends Fg{constructor(){super(new Bd(-5,5,5,-5,.5,500)),this.isDirectionalLightShadow=!0}}class Bg extends Od{constructor(t,e){super(t,e),this.isDirectionalLight=!0,this.type="DirectionalLight",this.position.copy(fn.DEFAULT_UP),this.updateMatrix(),this.target=new fn,this.shadow=new Og}dispose(){this.shadow.dispose()}copy(t){return super.copy(t),this.target=t.target.clone(),this.shadow=t.shadow.clone(),this}}class zg extends On{constructor(t=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=t}}const Fu=new ye;class kg{constructor(t,e,n=0,s=1/0){this.ray=new Fa(t,e),this.near=n,this.far=s,this.camera=null,this.layers=new ph,this.params={Mesh:{},Line:{threshold:1},LOD:{},Points:{threshold:1},Sprite:{}}}set(t,e){this.ray.set(t,e)}setFromCamera(t,e){e.isPerspectiveCamera?(this.ray.origin.setFromMatrixPosition(e.matrixWorld),this.ray.direction.set(t.x,t.y,.5).unproject(e).sub(this.ray.origin).normalize(),this.camera=e):e.isOrthographicCamera?(this.ray.origin.set(t.x,t.y,(e.near+e.far)/(e.near-e.far)).unproject(e),this.ray.direction.set(0,0,-1).transformDirection(e.matrixWorld),this.camera=e):console.error("THREE.Raycaster: Unsupported camera type: "+e.type)}setFromXRController(t){return Fu.identity().extractRotation(t.matrixWorld),this.ray.origin.setFromMatrixPosition(t.matrixWorld),this.ray.direction.set(0,0,-1).applyMatrix4(Fu),this}intersectObject(t,e=!0,n=[]){return Vc(t,this,n,e),n.sort(Ou),n}intersectObjects(t,e=!0,n=[]){for(let s=0,r=t.length;s<r;s++)Vc(t[s],this,n,e);return n.sort(Ou),n}}function Ou(i,t){return i.distance-t.distance}function Vc(i,t,e,n){let s=!0;if(i.layers.test(t.layers)&&i.raycast(t,e)===!1&&(s=!1),s===!0&&n===!0){const r=i.children;for(let o=0,a=r.length;o<a;o++)Vc(r[o],t,e,!0)}}class Bu{constructor(t=1,e=0,n=0){this.radius=t,this.phi=e,this.theta=n}set(t,e,n){return this.radius=t,this.phi=e,this.theta=n,this}copy(t){return this.radius=t.radius,this.phi=t.phi,this.theta=t.theta,this}makeSafe(){return this.phi=le(this.phi,1e-6,Math.PI-1e-6),this}setFromVector3(t){return this.setFromCartesianCoords(t.x,t.y,t.z)}setFromCartesianCoords(t,e,n){return this.radius=Math.sqrt(t*t+e*e+n*n),this.radius===0?(this.theta=0,this.phi=0):(this.theta=Math.atan2(t,n),this.phi=Math.acos(le(e/this.radius,-1,1))),this}clone(){return new this.constructor().copy(this)}}let Hg=class extends Gs{constructor(t,e=null){super(),this.object=t,this.domElement=e,this.enabled=!0,this.state=-1,this.keys={},this.mouseButtons={LEFT:null,MIDDLE:null,RIGHT:null},this.touches={ONE:null,TWO:null}}connect(t){if(t===void 0){console.warn("THREE.Controls: connect() now requires an element.");return}this.domElement!==null&&this.disconnect(),this.domElement=t}disconnect(){}dispose(){}update(){}};function zu(i,t,e,n){const s=Vg(n);switch(e){case yd:return i*t;case lh:return i*t/s.components*s.byteLength;case ch:return i*t/s.components*s.byteLength;case bd:return i*t*2/s.components*s.byteLength;case hh:return i*t*2/s.components*s.byteLength;case Ed:return i*t*3/s.components*s.byteLength;case vi:return i*t*4/s.components*s.byteLength;case uh:return i*t*4/s.components*s.byteLength;case ma:case ga:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case _a:case va:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case dc:case mc:return Math.max(i,16)*Math.max(t,8)/4;case fc:case pc:return Math.max(i,8)*Math.max(t,8)/2;case gc:case _c:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case vc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case xc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Mc:return Math.floor((i+4)/5)*Math.floor((t+3)/4)*16;case Sc:return Math.floor((i+4)/5)*Math.floor((t+4)/5)*16;case yc:return Math.floor((i+5)/6)*Math.floor((t+4)/5)*16;case Ec:return Math.floor((i+5)/6)*Math.floor((t+5)/6)*16;case bc:return Math.floor((i+7)/8)*Math.floor((t+4)/5)*16;case Tc:return Math.floor((i+7)/8)*Math.floor((t+5)/6)*16;case wc:return Math.floor((i+7)/8)*Math.floor((t+7)/8)*16;case Ac:return Math.floor((i+9)/10)*Math.floor((t+4)/5)*16;case Rc:return Math.floor((i+9)/10)*Math.floor((t+5)/6)*16;case Cc:return Math.floor((i+9)/10)*Math.floor((t+7)/8)*16;case Pc:return Math.floor((i+9)/10)*Math.floor((t+9)/10)*16;case Dc:return Math.floor((i+11)/12)*Math.floor((t+9)/10)*16;case Lc:return Math.floor((i+11)/12)*Math.floor((t+11)/12)*16;case Uc:case Ic:case Nc:return Math.ceil(i/4)*Math.ceil(t/4)*16;case Fc:case Oc:return Math.ceil(i/4)*Math.ceil(t/4)*8;case Bc:case zc:return Math.ceil(i/4)*Math.ceil(t/4)*16}throw new Error(`Unable to determine texture byte length for ${e} format.`)}function Vg(i){switch(i){case Li:case vd:return{byteLength:1,components:1};case vo:case xd:case To:return{byteLength:2,components:1};case oh:case ah:return{byteLength:2,components:4};case Bs:case rh:case Ri:return{byteLength:4,components:1};case Md:case Sd:return{byteLength:4,components:3}}throw new Error(`Unknown texture type ${i}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:ih}}));typeof window<"u"&&(window.__THREE__?console.warn("WARNING: Multiple instances of Three.js being imported."):window.__THREE__=ih);/**
 * @license
 * Copyright 2010-2025 Three.js Authors
 * SPDX-License-Identifier: MIT
 */function zd(){let i=null,t=!1,e=null,n=null;function s(r,o){e(r,o),n=i.requestAnimationFrame(s)}return{start:function(){t!==!0&&e!==null&&(n=i.requestAnimationFrame(s),t=!0)},stop:function(){i.cancelAnimationFrame(n),t=!1},setAnimationLoop:function(r){e=r},setContext:function(r){i=r}}}function Gg(i){const t=new WeakMap;function e(a,c){const l=a.array,f=a.usage,h=l.byteLength,u=i.createBuffer();i.bindBuffer(c,u),i.bufferData(c,l,f),a.onUploadCallback();let p;if(l instanceof Float32Array)p=i.FLOAT;else if(typeof Float16Array<"u"&&l instanceof Float16Array)p=i.HALF_FLOAT;else if(l instanceof Uint16Array)a.isFloat16BufferAttribute?p=i.HALF_FLOAT:p=i.UNSIGNED_SHORT;else if(l instanceof Int16Array)p=i.SHORT;else if(l instanceof Uint32Array)p=i.UNSIGNED_INT;else if(l instanceof Int32Array)p=i.INT;else if(l instanceof Int8Array)p=i.BYTE;else if(l instanceof Uint8Array)p=i.UNSIGNED_BYTE;else if(l instanceof Uint8ClampedArray)p=i.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+l);return{buffer:u,type:p,bytesPerElement:l.BYTES_PER_ELEMENT,version:a.version,size:h}}function n(a,c,l){const f=c.array,h=c.updateRanges;if(i.bindBuffer(l,a),h.length===0)i.bufferSubData(l,0,f);else{h.sort((p,_)=>p.start-_.start);let u=0;for(let p=1;p<h.length;p++){const _=h[u],x=h[p];x.start<=_.start+_.count+1?_.count=Math.max(_.count,x.start+x.count-_.start):(++u,h[u]=x)}h.length=u+1;for(let p=0,_=h.length;p<_;p++){const x=h[p];i.bufferSubData(l,x.start*f.BYTES_PER_ELEMENT,f,x.start,x.count)}c.clearUpdateRanges()}c.onUploadCallback()}function s(a){return a.isInterleavedBufferAttribute&&(a=a.data),t.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);const c=t.get(a);c&&(i.deleteBuffer(c.buffer),t.delete(a))}function o(a,c){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){const f=t.get(a);(!f||f.version<a.version)&&t.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}const l=t.get(a);if(l===void 0)t.set(a,e(a,c));else if(l.version<a.version){if(l.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");n(l.buffer,a,c),l.version=a.version}}return{get:s,remove:r,update:o}}var Wg=`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,Xg=`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,Yg=`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,qg=`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,Kg=`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,jg=`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,$g=`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,Zg=`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,Jg=`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec3 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 ).rgb;
	}
#endif`,Qg=`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,t_=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,e_=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,n_=`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,i_=`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,s_=`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,r_=`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,o_=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,a_=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,l_=`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,c_=`#if defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#elif defined( USE_COLOR )
	diffuseColor.rgb *= vColor;
#endif`,h_=`#if defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#elif defined( USE_COLOR )
	varying vec3 vColor;
#endif`,u_=`#if defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#elif defined( USE_COLOR ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec3 vColor;
#endif`,f_=`#if defined( USE_COLOR_ALPHA )
	vColor = vec4( 1.0 );
#elif defined( USE_COLOR ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec3( 1.0 );
#endif
#ifdef USE_COLOR
	vColor *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.xyz *= instanceColor.xyz;
#endif
#ifdef USE_BATCHING_COLOR
	vec3 batchingColor = getBatchingColor( getIndirectIndex( gl_DrawID ) );
	vColor.xyz *= batchingColor.xyz;
#endif`,d_=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
vec3 inverseTransformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( vec4( dir, 0.0 ) * matrix ).xyz );
}
mat3 transposeMat3( const in mat3 m ) {
	mat3 tmp;
	tmp[ 0 ] = vec3( m[ 0 ].x, m[ 1 ].x, m[ 2 ].x );
	tmp[ 1 ] = vec3( m[ 0 ].y, m[ 1 ].y, m[ 2 ].y );
	tmp[ 2 ] = vec3( m[ 0 ].z, m[ 1 ].z, m[ 2 ].z );
	return tmp;
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,p_=`#ifdef ENVMAP_TYPE_CUBE_UV
	#define cubeUV_minMipLevel 4.0
	#define cubeUV_minTileSize 16.0
	float getFace( vec3 direction ) {
		vec3 absDirection = abs( direction );
		float face = - 1.0;
		if ( absDirection.x > absDirection.z ) {
			if ( absDirection.x > absDirection.y )
				face = direction.x > 0.0 ? 0.0 : 3.0;
			else
				face = direction.y > 0.0 ? 1.0 : 4.0;
		} else {
			if ( absDirection.z > absDirection.y )
				face = direction.z > 0.0 ? 2.0 : 5.0;
			else
				face = direction.y > 0.0 ? 1.0 : 4.0;
		}
		return face;
	}
	vec2 getUV( vec3 direction, float face ) {
		vec2 uv;
		if ( face == 0.0 ) {
			uv = vec2( direction.z, direction.y ) / abs( direction.x );
		} else if ( face == 1.0 ) {
			uv = vec2( - direction.x, - direction.z ) / abs( direction.y );
		} else if ( face == 2.0 ) {
			uv = vec2( - direction.x, direction.y ) / abs( direction.z );
		} else if ( face == 3.0 ) {
			uv = vec2( - direction.z, direction.y ) / abs( direction.x );
		} else if ( face == 4.0 ) {
			uv = vec2( - direction.x, direction.z ) / abs( direction.y );
		} else {
			uv = vec2( direction.x, direction.y ) / abs( direction.z );
		}
		return 0.5 * ( uv + 1.0 );
	}
	vec3 bilinearCubeUV( sampler2D envMap, vec3 direction, float mipInt ) {
		float face = getFace( direction );
		float filterInt = max( cubeUV_minMipLevel - mipInt, 0.0 );
		mipInt = max( mipInt, cubeUV_minMipLevel );
		float faceSize = exp2( mipInt );
		highp vec2 uv = getUV( direction, face ) * ( faceSize - 2.0 ) + 1.0;
		if ( face > 2.0 ) {
			uv.y += faceSize;
			face -= 3.0;
		}
		uv.x += face * faceSize;
		uv.x += filterInt * 3.0 * cubeUV_minTileSize;
		uv.y += 4.0 * ( exp2( CUBEUV_MAX_MIP ) - faceSize );
		uv.x *= CUBEUV_TEXEL_WIDTH;
		uv.y *= CUBEUV_TEXEL_HEIGHT;
		#ifdef texture2DGradEXT
			return texture2DGradEXT( envMap, uv, vec2( 0.0 ), vec2( 0.0 ) ).rgb;
		#else
			return texture2D( envMap, uv ).rgb;
		#endif
	}
	#define cubeUV_r0 1.0
	#define cubeUV_m0 - 2.0
	#define cubeUV_r1 0.8
	#define cubeUV_m1 - 1.0
	#define cubeUV_r4 0.4
	#define cubeUV_m4 2.0
	#define cubeUV_r5 0.305
	#define cubeUV_m5 3.0
	#define cubeUV_r6 0.21
	#define cubeUV_m6 4.0
	float roughnessToMip( float roughness ) {
		float mip = 0.0;
		if ( roughness >= cubeUV_r1 ) {
			mip = ( cubeUV_r0 - roughness ) * ( cubeUV_m1 - cubeUV_m0 ) / ( cubeUV_r0 - cubeUV_r1 ) + cubeUV_m0;
		} else if ( roughness >= cubeUV_r4 ) {
			mip = ( cubeUV_r1 - roughness ) * ( cubeUV_m4 - cubeUV_m1 ) / ( cubeUV_r1 - cubeUV_r4 ) + cubeUV_m1;
		} else if ( roughness >= cubeUV_r5 ) {
			mip = ( cubeUV_r4 - roughness ) * ( cubeUV_m5 - cubeUV_m4 ) / ( cubeUV_r4 - cubeUV_r5 ) + cubeUV_m4;
		} else if ( roughness >= cubeUV_r6 ) {
			mip = ( cubeUV_r5 - roughness ) * ( cubeUV_m6 - cubeUV_m5 ) / ( cubeUV_r5 - cubeUV_r6 ) + cubeUV_m5;
		} else {
			mip = - 2.0 * log2( 1.16 * roughness );		}
		return mip;
	}
	vec4 textureCubeUV( sampler2D envMap, vec3 sampleDir, float roughness ) {
		float mip = clamp( roughnessToMip( roughness ), cubeUV_m0, CUBEUV_MAX_MIP );
		float mipF = fract( mip );
		float mipInt = floor( mip );
		vec3 color0 = bilinearCubeUV( envMap, sampleDir, mipInt );
		if ( mipF == 0.0 ) {
			return vec4( color0, 1.0 );
		} else {
			vec3 color1 = bilinearCubeUV( envMap, sampleDir, mipInt + 1.0 );
			return vec4( mix( color0, color1, mipF ), 1.0 );
		}
	}
#endif`,m_=`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
	#ifdef FLIP_SIDED
		transformedTangent = - transformedTangent;
	#endif
#endif`,g_=`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,__=`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,v_=`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,x_=`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,M_="gl_FragColor = linearToOutputTexel( gl_FragColor );",S_=`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,y_=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = inverseTransformDirection( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * vec3( flipEnvMap * reflectVec.x, reflectVec.yz ) );
	#else
		vec4 envColor = vec4( 0.0 );
	#endif
	#ifdef ENVMAP_BLENDING_MULTIPLY
		outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
	#elif defined( ENVMAP_BLENDING_MIX )
		outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
	#elif defined( ENVMAP_BLENDING_ADD )
		outgoingLight += envColor.xyz * specularStrength * reflectivity;
	#endif
#endif`,E_=`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform float flipEnvMap;
	uniform mat3 envMapRotation;
	#ifdef ENVMAP_TYPE_CUBE
		uniform samplerCube envMap;
	#else
		uniform sampler2D envMap;
	#endif
	
#endif`,b_=`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,T_=`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,w_=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = inverseTransformDirection( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,A_=`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,R_=`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,C_=`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,P_=`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,D_=`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,L_=`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,U_=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,I_=`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,N_=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = inverseTransformDirection( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif`,F_=`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_CUBE_UV
			vec3 worldNormal = inverseTransformDirection( normal, viewMatrix );
			vec4 envMapColor = textureCubeUV( envMap, envMapRotation * worldNormal, 1.0 );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_CUBE_UV
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, roughness * roughness) );
			reflectVec = inverseTransformDirection( reflectVec, viewMatrix );
			vec4 envMapColor = textureCubeUV( envMap, envMapRotation * reflectVec, roughness );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_CUBE_UV
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
#endif`,O_=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,B_=`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,z_=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,k_=`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,H_=`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb * ( 1.0 - metalnessFactor );
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.0525 );material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = mix( min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = mix( vec3( 0.04 ), diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.0525 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.07, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,V_=`struct PhysicalMaterial {
	vec3 diffuseColor;
	float roughness;
	vec3 specularColor;
	float specularF90;
	float dispersion;
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		float v = 0.5 / ( gv + gl );
		return saturate(v);
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = material.clearcoatRoughness;
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColor;
	float f90 = material.specularF90;
	float roughness = material.roughness;
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float V = V_GGX_SmithCorrelated_Anisotropic( material.alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( material.alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transposeMat3( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float a = roughness < 0.25 ? -339.2 * r2 + 161.4 * roughness - 25.9 : -8.48 * r2 + 14.3 * roughness - 9.95;
	float b = roughness < 0.25 ? 44.0 * r2 - 23.7 * roughness + 3.26 : 1.97 * r2 - 3.27 * roughness + 0.72;
	float DG = exp( a * dotNV + b ) + ( roughness < 0.25 ? 0.0 : 0.1 * ( roughness - 0.25 ) );
	return saturate( DG * RECIPROCAL_PI );
}
vec2 DFGApprox( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	const vec4 c0 = vec4( - 1, - 0.0275, - 0.572, 0.022 );
	const vec4 c1 = vec4( 1, 0.0425, 1.04, - 0.04 );
	vec4 r = roughness * c0 + c1;
	float a004 = min( r.x * r.x, exp2( - 9.28 * dotNV ) ) * r.x + r.y;
	vec2 fab = vec2( - 1.04, 1.04 ) * a004 + r.zw;
	return fab;
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	vec2 fab = DFGApprox( normal, viewDir, roughness );
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, const in float roughness, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	vec2 fab = DFGApprox( normal, viewDir, roughness );
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColor * t2.x + ( vec3( 1.0 ) - material.specularColor ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseColor * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
	#endif
	reflectedLight.directSpecular += irradiance * BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
	#endif
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( geometryNormal, geometryViewDir, material.specularColor, material.specularF90, material.iridescence, material.iridescenceFresnel, material.roughness, singleScattering, multiScattering );
	#else
		computeMultiscattering( geometryNormal, geometryViewDir, material.specularColor, material.specularF90, material.roughness, singleScattering, multiScattering );
	#endif
	vec3 totalScattering = singleScattering + multiScattering;
	vec3 diffuse = material.diffuseColor * ( 1.0 - max( max( totalScattering.r, totalScattering.g ), totalScattering.b ) );
	reflectedLight.indirectSpecular += radiance * singleScattering;
	reflectedLight.indirectSpecular += multiScattering * cosineWeightedIrradiance;
	reflectedLight.indirectDiffuse += diffuse * cosineWeightedIrradiance;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,G_=`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		material.iridescenceFresnel = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		material.iridescenceF0 = Schlick_to_F0( material.iridescenceFresnel, 1.0, dotNVi );
	}
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,W_=`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD ) && defined( ENVMAP_TYPE_CUBE_UV )
		iblIrradiance += getIBLIrradiance( geometryNormal );
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		radiance += getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		radiance += getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,X_=`#if defined( RE_IndirectDiffuse )
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,Y_=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,q_=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,K_=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,j_=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,$_=`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,Z_=`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,J_=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,Q_=`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,t0=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,e0=`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,n0=`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,i0=`#if defined( USE_MORPHCOLORS )
	vColor *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,s0=`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,r0=`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,o0=`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,a0=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#if defined( DOUBLE_SIDED ) && ! defined( FLAT_SHADED )
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#if defined( DOUBLE_SIDED ) && ! defined( FLAT_SHADED )
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,l0=`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,c0=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,h0=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,u0=`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
	#endif
#endif`,f0=`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,d0=`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,p0=`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,m0=`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,g0=`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,_0=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,v0=`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	return depth * ( near - far ) - near;
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	return ( near * far ) / ( ( far - near ) * depth - far );
}`,x0=`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,M0=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,S0=`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,y0=`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,E0=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,b0=`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,T0=`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform sampler2D pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	float texture2DCompare( sampler2D depths, vec2 uv, float compare ) {
		float depth = unpackRGBAToDepth( texture2D( depths, uv ) );
		#ifdef USE_REVERSED_DEPTH_BUFFER
			return step( depth, compare );
		#else
			return step( compare, depth );
		#endif
	}
	vec2 texture2DDistribution( sampler2D shadow, vec2 uv ) {
		return unpackRGBATo2Half( texture2D( shadow, uv ) );
	}
	float VSMShadow( sampler2D shadow, vec2 uv, float compare ) {
		float occlusion = 1.0;
		vec2 distribution = texture2DDistribution( shadow, uv );
		#ifdef USE_REVERSED_DEPTH_BUFFER
			float hard_shadow = step( distribution.x, compare );
		#else
			float hard_shadow = step( compare, distribution.x );
		#endif
		if ( hard_shadow != 1.0 ) {
			float distance = compare - distribution.x;
			float variance = max( 0.00000, distribution.y * distribution.y );
			float softness_probability = variance / (variance + distance * distance );			softness_probability = clamp( ( softness_probability - 0.3 ) / ( 0.95 - 0.3 ), 0.0, 1.0 );			occlusion = clamp( max( hard_shadow, softness_probability ), 0.0, 1.0 );
		}
		return occlusion;
	}
	float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
		float shadow = 1.0;
		shadowCoord.xyz /= shadowCoord.w;
		shadowCoord.z += shadowBias;
		bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
		bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
		if ( frustumTest ) {
		#if defined( SHADOWMAP_TYPE_PCF )
			vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
			float dx0 = - texelSize.x * shadowRadius;
			float dy0 = - texelSize.y * shadowRadius;
			float dx1 = + texelSize.x * shadowRadius;
			float dy1 = + texelSize.y * shadowRadius;
			float dx2 = dx0 / 2.0;
			float dy2 = dy0 / 2.0;
			float dx3 = dx1 / 2.0;
			float dy3 = dy1 / 2.0;
			shadow = (
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx0, dy0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx1, dy0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx2, dy2 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy2 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx3, dy2 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx0, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx2, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy, shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx3, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx1, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx2, dy3 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy3 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx3, dy3 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx0, dy1 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy1 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx1, dy1 ), shadowCoord.z )
			) * ( 1.0 / 17.0 );
		#elif defined( SHADOWMAP_TYPE_PCF_SOFT )
			vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
			float dx = texelSize.x;
			float dy = texelSize.y;
			vec2 uv = shadowCoord.xy;
			vec2 f = fract( uv * shadowMapSize + 0.5 );
			uv -= f * texelSize;
			shadow = (
				texture2DCompare( shadowMap, uv, shadowCoord.z ) +
				texture2DCompare( shadowMap, uv + vec2( dx, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, uv + vec2( 0.0, dy ), shadowCoord.z ) +
				texture2DCompare( shadowMap, uv + texelSize, shadowCoord.z ) +
				mix( texture2DCompare( shadowMap, uv + vec2( -dx, 0.0 ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, 0.0 ), shadowCoord.z ),
					 f.x ) +
				mix( texture2DCompare( shadowMap, uv + vec2( -dx, dy ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, dy ), shadowCoord.z ),
					 f.x ) +
				mix( texture2DCompare( shadowMap, uv + vec2( 0.0, -dy ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( 0.0, 2.0 * dy ), shadowCoord.z ),
					 f.y ) +
				mix( texture2DCompare( shadowMap, uv + vec2( dx, -dy ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( dx, 2.0 * dy ), shadowCoord.z ),
					 f.y ) +
				mix( mix( texture2DCompare( shadowMap, uv + vec2( -dx, -dy ), shadowCoord.z ),
						  texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, -dy ), shadowCoord.z ),
						  f.x ),
					 mix( texture2DCompare( shadowMap, uv + vec2( -dx, 2.0 * dy ), shadowCoord.z ),
						  texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, 2.0 * dy ), shadowCoord.z ),
						  f.x ),
					 f.y )
			) * ( 1.0 / 9.0 );
		#elif defined( SHADOWMAP_TYPE_VSM )
			shadow = VSMShadow( shadowMap, shadowCoord.xy, shadowCoord.z );
		#else
			shadow = texture2DCompare( shadowMap, shadowCoord.xy, shadowCoord.z );
		#endif
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	vec2 cubeToUV( vec3 v, float texelSizeY ) {
		vec3 absV = abs( v );
		float scaleToCube = 1.0 / max( absV.x, max( absV.y, absV.z ) );
		absV *= scaleToCube;
		v *= scaleToCube * ( 1.0 - 2.0 * texelSizeY );
		vec2 planar = v.xy;
		float almostATexel = 1.5 * texelSizeY;
		float almostOne = 1.0 - almostATexel;
		if ( absV.z >= almostOne ) {
			if ( v.z > 0.0 )
				planar.x = 4.0 - v.x;
		} else if ( absV.x >= almostOne ) {
			float signX = sign( v.x );
			planar.x = v.z * signX + 2.0 * signX;
		} else if ( absV.y >= almostOne ) {
			float signY = sign( v.y );
			planar.x = v.x + 2.0 * signY + 2.0;
			planar.y = v.z * signY - 2.0;
		}
		return vec2( 0.125, 0.25 ) * planar + vec2( 0.375, 0.75 );
	}
	float getPointShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		
		float lightToPositionLength = length( lightToPosition );
		if ( lightToPositionLength - shadowCameraFar <= 0.0 && lightToPositionLength - shadowCameraNear >= 0.0 ) {
			float dp = ( lightToPositionLength - shadowCameraNear ) / ( shadowCameraFar - shadowCameraNear );			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			vec2 texelSize = vec2( 1.0 ) / ( shadowMapSize * vec2( 4.0, 2.0 ) );
			#if defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_PCF_SOFT ) || defined( SHADOWMAP_TYPE_VSM )
				vec2 offset = vec2( - 1, 1 ) * shadowRadius * texelSize.y;
				shadow = (
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xyy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yyy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xyx, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yyx, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xxy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yxy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xxx, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yxx, texelSize.y ), dp )
				) * ( 1.0 / 9.0 );
			#else
				shadow = texture2DCompare( shadowMap, cubeToUV( bd3D, texelSize.y ), dp );
			#endif
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
#endif`,w0=`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,A0=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	vec3 shadowWorldNormal = inverseTransformDirection( transformedNormal, viewMatrix );
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,R0=`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,C0=`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,P0=`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,D0=`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,L0=`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,U0=`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,I0=`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,N0=`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,F0=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,O0=`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = inverseTransformDirection( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseColor, material.specularColor, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,B0=`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,z0=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,k0=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,H0=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,V0=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`;const G0=`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,W0=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,X0=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,Y0=`#ifdef ENVMAP_TYPE_CUBE
	uniform samplerCube envMap;
#elif defined( ENVMAP_TYPE_CUBE_UV )
	uniform sampler2D envMap;
#endif
uniform float flipEnvMap;
uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <cube_uv_reflection_fragment>
void main() {
	#ifdef ENVMAP_TYPE_CUBE
		vec4 texColor = textureCube( envMap, backgroundRotation * vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) );
	#elif defined( ENVMAP_TYPE_CUBE_UV )
		vec4 texColor = textureCubeUV( envMap, backgroundRotation * vWorldDirection, backgroundBlurriness );
	#else
		vec4 texColor = vec4( 0.0, 0.0, 0.0, 1.0 );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,q0=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,K0=`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,j0=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,$0=`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,Z0=`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,J0=`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main () {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = packDepthToRGBA( dist );
}`,Q0=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,tv=`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,ev=`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,nv=`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,iv=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,sv=`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,rv=`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,ov=`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,av=`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,lv=`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,cv=`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,hv=`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <packing>
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( packNormalToRGB( normal ), diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,uv=`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,fv=`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,dv=`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,pv=`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <cube_uv_reflection_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
		float sheenEnergyComp = 1.0 - 0.157 * max3( material.sheenColor );
		outgoingLight = outgoingLight * sheenEnergyComp + sheenSpecularDirect + sheenSpecularIndirect;
	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,mv=`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,gv=`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,_v=`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,vv=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,xv=`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Mv=`uniform vec3 color;
uniform float opacity;
#include <common>
#include <packing>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,Sv=`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,yv=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,re={alphahash_fragment:Wg,alphahash_pars_fragment:Xg,alphamap_fragment:Yg,alphamap_pars_fragment:qg,alphatest_fragment:Kg,alphatest_pars_fragment:jg,aomap_fragment:$g,aomap_pars_fragment:Zg,batching_pars_vertex:Jg,batching_vertex:Qg,begin_vertex:t_,beginnormal_vertex:e_,bsdfs:n_,iridescence_fragment:i_,bumpmap_pars_fragment:s_,clipping_planes_fragment:r_,clipping_planes_pars_fragment:o_,clipping_planes_pars_vertex:a_,clipping_planes_vertex:l_,color_fragment:c_,color_pars_fragment:h_,color_pars_vertex:u_,color_vertex:f_,common:d_,cube_uv_reflection_fragment:p_,defaultnormal_vertex:m_,displacementmap_pars_vertex:g_,displacementmap_vertex:__,emissivemap_fragment:v_,emissivemap_pars_fragment:x_,colorspace_fragment:M_,colorspace_pars_fragment:S_,envmap_fragment:y_,envmap_common_pars_fragment:E_,envmap_pars_fragment:b_,envmap_pars_vertex:T_,envmap_physical_pars_fragment:F_,envmap_vertex:w_,fog_vertex:A_,fog_pars_vertex:R_,fog_fragment:C_,fog_pars_fragment:P_,gradientmap_pars_fragment:D_,lightmap_pars_fragment:L_,lights_lambert_fragment:U_,lights_lambert_pars_fragment:I_,lights_pars_begin:N_,lights_toon_fragment:O_,lights_toon_pars_fragment:B_,lights_phong_fragment:z_,lights_phong_pars_fragment:k_,lights_physical_fragment:H_,lights_physical_pars_fragment:V_,lights_fragment_begin:G_,lights_fragment_maps:W_,lights_fragment_end:X_,logdepthbuf_fragment:Y_,logdepthbuf_pars_fragment:q_,logdepthbuf_pars_vertex:K_,logdepthbuf_vertex:j_,map_fragment:$_,map_pars_fragment:Z_,map_particle_fragment:J_,map_particle_pars_fragment:Q_,metalnessmap_fragment:t0,metalnessmap_pars_fragment:e0,morphinstance_vertex:n0,morphcolor_vertex:i0,morphnormal_vertex:s0,morphtarget_pars_vertex:r0,morphtarget_vertex:o0,normal_fragment_begin:a0,normal_fragment_maps:l0,normal_pars_fragment:c0,normal_pars_vertex:h0,normal_vertex:u0,normalmap_pars_fragment:f0,clearcoat_normal_fragment_begin:d0,clearcoat_normal_fragment_maps:p0,clearcoat_pars_fragment:m0,iridescence_pars_fragment:g0,opaque_fragment:_0,packing:v0,premultiplied_alpha_fragment:x0,project_vertex:M0,dithering_fragment:S0,dithering_pars_fragment:y0,roughnessmap_fragment:E0,roughnessmap_pars_fragment:b0,shadowmap_pars_fragment:T0,shadowmap_pars_vertex:w0,shadowmap_vertex:A0,shadowmask_pars_fragment:R0,skinbase_vertex:C0,skinning_pars_vertex:P0,skinning_vertex:D0,skinnormal_vertex:L0,specularmap_fragment:U0,specularmap_pars_fragment:I0,tonemapping_fragment:N0,tonemapping_pars_fragment:F0,transmission_fragment:O0,transmission_pars_fragment:B0,uv_pars_fragment:z0,uv_pars_vertex:k0,uv_vertex:H0,worldpos_vertex:V0,background_vert:G0,background_frag:W0,backgroundCube_vert:X0,backgroundCube_frag:Y0,cube_vert:q0,cube_frag:K0,depth_vert:j0,depth_frag:$0,distanceRGBA_vert:Z0,distanceRGBA_frag:J0,equirect_vert:Q0,equirect_frag:tv,linedashed_vert:ev,linedashed_frag:nv,meshbasic_vert:iv,meshbasic_frag:sv,meshlambert_vert:rv,meshlambert_frag:ov,meshmatcap_vert:av,meshmatcap_frag:lv,meshnormal_vert:cv,meshnormal_frag:hv,meshphong_vert:uv,meshphong_frag:fv,meshphysical_vert:dv,meshphysical_frag:pv,meshtoon_vert:mv,meshtoon_frag:gv,points_vert:_v,points_frag:vv,shadow_vert:xv,shadow_frag:Mv,sprite_vert:Sv,sprite_frag:yv},yt={common:{diffuse:{value:new ne(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new ie},alphaMap:{value:null},alphaMapTransform:{value:new ie},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new ie}},envmap:{envMap:{value:null},envMapRotation:{value:new ie},flipEnvMap:{value:-1},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new ie}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new ie}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new ie},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new ie},normalScale:{value:new Qt(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new ie},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new ie}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new ie}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new ie}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new ne(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMap:{value:[]},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotShadowMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMap:{value:[]},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null}},points:{diffuse:{value:new ne(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new ie},alphaTest:{value:0},uvTransform:{value:new ie}},sprite:{diffuse:{value:new ne(16777215)},opacity:{value:1},center:{value:new Qt(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new ie},alphaMap:{value:null},alphaMapTransform:{value:new ie},alphaTest:{value:0}}},Ai={basic:{uniforms:Rn([yt.common,yt.specularmap,yt.envmap,yt.aomap,yt.lightmap,yt.fog]),vertexShader:re.meshbasic_vert,fragmentShader:re.meshbasic_frag},lambert:{uniforms:Rn([yt.common,yt.specularmap,yt.envmap,yt.aomap,yt.lightmap,yt.emissivemap,yt.bumpmap,yt.normalmap,yt.displacementmap,yt.fog,yt.lights,{emissive:{value:new ne(0)}}]),vertexShader:re.meshlambert_vert,fragmentShader:re.meshlambert_frag},phong:{uniforms:Rn([yt.common,yt.specularmap,yt.envmap,yt.aomap,yt.lightmap,yt.emissivemap,yt.bumpmap,yt.normalmap,yt.displacementmap,yt.fog,yt.lights,{emissive:{value:new ne(0)},specular:{value:new ne(1118481)},shininess:{value:30}}]),vertexShader:re.meshphong_vert,fragmentShader:re.meshphong_frag},standard:{uniforms:Rn([yt.common,yt.envmap,yt.aomap,yt.lightmap,yt.emissivemap,yt.bumpmap,yt.normalmap,yt.displacementmap,yt.roughnessmap,yt.metalnessmap,yt.fog,yt.lights,{emissive:{value:new ne(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:re.meshphysical_vert,fragmentShader:re.meshphysical_frag},toon:{uniforms:Rn([yt.common,yt.aomap,yt.lightmap,yt.emissivemap,yt.bumpmap,yt.normalmap,yt.displacementmap,yt.gradientmap,yt.fog,yt.lights,{emissive:{value:new ne(0)}}]),vertexShader:re.meshtoon_vert,fragmentShader:re.meshtoon_frag},matcap:{uniforms:Rn([yt.common,yt.bumpmap,yt.normalmap,yt.displacementmap,yt.fog,{matcap:{value:null}}]),vertexShader:re.meshmatcap_vert,fragmentShader:re.meshmatcap_frag},points:{uniforms:Rn([yt.points,yt.fog]),vertexShader:re.points_vert,fragmentShader:re.points_frag},dashed:{uniforms:Rn([yt.common,yt.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:re.linedashed_vert,fragmentShader:re.linedashed_frag},depth:{uniforms:Rn([yt.common,yt.displacementmap]),vertexShader:re.depth_vert,fragmentShader:re.depth_frag},normal:{uniforms:Rn([yt.common,yt.bumpmap,yt.normalmap,yt.displacementmap,{opacity:{value:1}}]),vertexShader:re.meshnormal_vert,fragmentShader:re.meshnormal_frag},sprite:{uniforms:Rn([yt.sprite,yt.fog]),vertexShader:re.sprite_vert,fragmentShader:re.sprite_frag},background:{uniforms:{uvTransform:{value:new ie},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:re.background_vert,fragmentShader:re.background_frag},backgroundCube:{uniforms:{envMap:{value:null},flipEnvMap:{value:-1},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new ie}},vertexShader:re.backgroundCube_vert,fragmentShader:re.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:re.cube_vert,fragmentShader:re.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:re.equirect_vert,fragmentShader:re.equirect_frag},distanceRGBA:{uniforms:Rn([yt.common,yt.displacementmap,{referencePosition:{value:new N},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:re.distanceRGBA_vert,fragmentShader:re.distanceRGBA_frag},shadow:{uniforms:Rn([yt.lights,yt.fog,{color:{value:new ne(0)},opacity:{value:1}}]),vertexShader:re.shadow_vert,fragmentShader:re.shadow_frag}};Ai.physical={uniforms:Rn([Ai.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new ie},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new ie},clearcoatNormalScale:{value:new Qt(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new ie},dispersion:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new ie},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new ie},sheen:{value:0},sheenColor:{value:new ne(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new ie},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new ie},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new ie},transmissionSamplerSize:{value:new Qt},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new ie},attenuationDistance:{value:0},attenuationColor:{value:new ne(0)},specularColor:{value:new ne(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new ie},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new ie},anisotropyVector:{value:new Qt},anisotropyMap:{value:null},anisotropyMapTransform:{value:new ie}}]),vertexShader:re.meshphysical_vert,fragmentShader:re.meshphysical_frag};const sa={r:0,b:0,g:0},ws=new xi,Ev=new ye;function bv(i,t,e,n,s,r,o){const a=new ne(0);let c=r===!0?0:1,l,f,h=null,u=0,p=null;function _(A){let S=A.isScene===!0?A.background:null;return S&&S.isTexture&&(S=(A.backgroundBlurriness>0?e:t).get(S)),S}function x(A){let S=!1;const L=_(A);L===null?d(a,c):L&&L.isColor&&(d(L,1),S=!0);const C=i.xr.getEnvironmentBlendMode();C==="additive"?n.buffers.color.setClear(0,0,0,1,o):C==="alpha-blend"&&n.buffers.color.setClear(0,0,0,0,o),(i.autoClear||S)&&(n.buffers.depth.setTest(!0),n.buffers.depth.setMask(!0),n.buffers.color.setMask(!0),i.clear(i.autoClearColor,i.autoClearDepth,i.autoClearStencil))}function m(A,S){const L=_(S);L&&(L.isCubeTexture||L.mapping===Na)?(f===void 0&&(f=new _n(new Or(1,1,1),new ps({name:"BackgroundCubeMaterial",uniforms:Cr(Ai.backgroundCube.uniforms),vertexShader:Ai.backgroundCube.vertexShader,fragmentShader:Ai.backgroundCube.fragmentShader,side:Bn,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),f.geometry.deleteAttribute("normal"),f.geometry.deleteAttribute("uv"),f.onBeforeRender=function(C,U,O){this.matrixWorld.copyPosition(O.matrixWorld)},Object.defineProperty(f.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),s.update(f)),ws.copy(S.backgroundRotation),ws.x*=-1,ws.y*=-1,ws.z*=-1,L.isCubeTexture&&L.isRenderTargetTexture===!1&&(ws.y*=-1,ws.z*=-1),f.material.uniforms.envMap.value=L,f.material.uniforms.flipEnvMap.value=L.isCubeTexture&&L.isRenderTargetTexture===!1?-1:1,f.material.uniforms.backgroundBlurriness.value=S.backgroundBlurriness,f.material.uniforms.backgroundIntensity.value=S.backgroundIntensity,f.material.uniforms.backgroundRotation.value.setFromMatrix4(Ev.makeRotationFromEuler(ws)),f.material.toneMapped=me.getTransfer(L.colorSpace)!==Ae,(h!==L||u!==L.version||p!==i.toneMapping)&&(f.material.needsUpdate=!0,h=L,u=L.version,p=i.toneMapping),f.layers.enableAll(),A.unshift(f,f.geometry,f.material,0,0,null)):L&&L.isTexture&&(l===void 0&&(l=new _n(new Oa(2,2),new ps({name:"BackgroundMaterial",uniforms:Cr(Ai.background.uniforms),vertexShader:Ai.background.vertexShader,fragmentShader:Ai.background.fragmentShader,side:ds,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute("normal"),Object.defineProperty(l.material,"map",{get:function(){return this.uniforms.t2D.value}}),s.update(l)),l.material.uniforms.t2D.value=L,l.material.uniforms.backgroundIntensity.value=S.backgroundIntensity,l.material.toneMapped=me.getTransfer(L.colorSpace)!==Ae,L.matrixAutoUpdate===!0&&L.updateMatrix(),l.material.uniforms.uvTransform.value.copy(L.matrix),(h!==L||u!==L.version||p!==i.toneMapping)&&(l.material.needsUpdate=!0,h=L,u=L.version,p=i.toneMapping),l.layers.enableAll(),A.unshift(l,l.geometry,l.material,0,0,null))}function d(A,S){A.getRGB(sa,Dd(i)),n.buffers.color.setClear(sa.r,sa.g,sa.b,S,o)}function T(){f!==void 0&&(f.geometry.dispose(),f.material.dispose(),f=void 0),l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0)}return{getClearColor:function(){return a},setClearColor:function(A,S=1){a.set(A),c=S,d(a,c)},getClearAlpha:function(){return c},setClearAlpha:function(A){c=A,d(a,c)},render:x,addToRenderList:m,dispose:T}}function Tv(i,t){const e=i.getParameter(i.MAX_VERTEX_ATTRIBS),n={},s=u(null);let r=s,o=!1;function a(E,R,k,V,Y){let W=!1;const K=h(V,k,R);r!==K&&(r=K,l(r.object)),W=p(E,V,k,Y),W&&_(E,V,k,Y),Y!==null&&t.update(Y,i.ELEMENT_ARRAY_BUFFER),(W||o)&&(o=!1,S(E,R,k,V),Y!==null&&i.bindBuffer(i.ELEMENT_ARRAY_BUFFER,t.get(Y).buffer))}function c(){return i.createVertexArray()}function l(E){return i.bindVertexArray(E)}function f(E){return i.deleteVertexArray(E)}function h(E,R,k){const V=k.wireframe===!0;let Y=n[E.id];Y===void 0&&(Y={},n[E.id]=Y);let W=Y[R.id];W===void 0&&(W={},Y[R.id]=W);let K=W[V];return K===void 0&&(K=u(c()),W[V]=K),K}function u(E){const R=[],k=[],V=[];for(let Y=0;Y<e;Y++)R[Y]=0,k[Y]=0,V[Y]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:R,enabledAttributes:k,attributeDivisors:V,object:E,attributes:{},index:null}}function p(E,R,k,V){const Y=r.attributes,W=R.attributes;let K=0;const q=k.getAttributes();for(const J in q)if(q[J].location>=0){const at=Y[J];let _t=W[J];if(_t===void 0&&(J==="instanceMatrix"&&E.instanceMatrix&&(_t=E.instanceMatrix),J==="instanceColor"&&E.instanceColor&&(_t=E.instanceColor)),at===void 0||at.attribute!==_t||_t&&at.data!==_t.data)return!0;K++}return r.attributesNum!==K||r.index!==V}function _(E,R,k,V){const Y={},W=R.attributes;let K=0;const q=k.getAttributes();for(const J in q)if(q[J].location>=0){let at=W[J];at===void 0&&(J==="instanceMatrix"&&E.instanceMatrix&&(at=E.instanceMatrix),J==="instanceColor"&&E.instanceColor&&(at=E.instanceColor));const _t={};_t.attribute=at,at&&at.data&&(_t.data=at.data),Y[J]=_t,K++}r.attributes=Y,r.attributesNum=K,r.index=V}function x(){const E=r.newAttributes;for(let R=0,k=E.length;R<k;R++)E[R]=0}function m(E){d(E,0)}function d(E,R){const k=r.newAttributes,V=r.enabledAttributes,Y=r.attributeDivisors;k[E]=1,V[E]===0&&(i.enableVertexAttribArray(E),V[E]=1),Y[E]!==R&&(i.vertexAttribDivisor(E,R),Y[E]=R)}function T(){const E=r.newAttributes,R=r.enabledAttributes;for(let k=0,V=R.length;k<V;k++)R[k]!==E[k]&&(i.disableVertexAttribArray(k),R[k]=0)}function A(E,R,k,V,Y,W,K){K===!0?i.vertexAttribIPointer(E,R,k,Y,W):i.vertexAttribPointer(E,R,k,V,Y,W)}function S(E,R,k,V){x();const Y=V.attributes,W=k.getAttributes(),K=R.defaultAttributeValues;for(const q in W){const J=W[q];if(J.location>=0){let ot=Y[q];if(ot===void 0&&(q==="instanceMatrix"&&E.instanceMatrix&&(ot=E.instanceMatrix),q==="instanceColor"&&E.instanceColor&&(ot=E.instanceColor)),ot!==void 0){const at=ot.normalized,_t=ot.itemSize,Mt=t.get(ot);if(Mt===void 0)continue;const gt=Mt.buffer,te=Mt.type,jt=Mt.bytesPerElement,Q=te===i.INT||te===i.UNSIGNED_INT||ot.gpuType===rh;if(ot.isInterleavedBufferAttribute){const et=ot.data,Et=et.stride,Bt=ot.offset;if(et.isInstancedInterleavedBuffer){for(let vt=0;vt<J.locationSize;vt++)d(J.location+vt,et.meshPerAttribute);E.isInstancedMesh!==!0&&V._maxInstanceCount===void 0&&(V._maxInstanceCount=et.meshPerAttribute*et.count)}else for(let vt=0;vt<J.locationSize;vt++)m(J.location+vt);i.bindBuffer(i.ARRAY_BUFFER,gt);for(let vt=0;vt<J.locationSize;vt++)A(J.location+vt,_t/J.locationSize,te,at,Et*jt,(Bt+_t/J.locationSize*vt)*jt,Q)}else{if(ot.isInstancedBufferAttribute){for(let et=0;et<J.locationSize;et++)d(J.location+et,ot.meshPerAttribute);E.isInstancedMesh!==!0&&V._maxInstanceCount===void 0&&(V._maxInstanceCount=ot.meshPerAttribute*ot.count)}else for(let et=0;et<J.locationSize;et++)m(J.location+et);i.bindBuffer(i.ARRAY_BUFFER,gt);for(let et=0;et<J.locationSize;et++)A(J.location+et,_t/J.locationSize,te,at,_t*jt,_t/J.locationSize*et*jt,Q)}}else if(K!==void 0){const at=K[q];if(at!==void 0)switch(at.length){case 2:i.vertexAttrib2fv(J.location,at);break;case 3:i.vertexAttrib3fv(J.location,at);break;case 4:i.vertexAttrib4fv(J.location,at);break;default:i.vertexAttrib1fv(J.location,at)}}}}T()}function L(){O();for(const E in n){const R=n[E];for(const k in R){const V=R[k];for(const Y in V)f(V[Y].object),delete V[Y];delete R[k]}delete n[E]}}function C(E){if(n[E.id]===void 0)return;const R=n[E.id];for(const k in R){const V=R[k];for(const Y in V)f(V[Y].object),delete V[Y];delete R[k]}delete n[E.id]}function U(E){for(const R in n){const k=n[R];if(k[E.id]===void 0)continue;const V=k[E.id];for(const Y in V)f(V[Y].object),delete V[Y];delete k[E.id]}}function O(){b(),o=!0,r!==s&&(r=s,l(r.object))}function b(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:a,reset:O,resetDefaultState:b,dispose:L,releaseStatesOfGeometry:C,releaseStatesOfProgram:U,initAttributes:x,enableAttribute:m,disableUnusedAttributes:T}}function wv(i,t,e){let n;function s(l){n=l}function r(l,f){i.drawArrays(n,l,f),e.update(f,n,1)}function o(l,f,h){h!==0&&(i.drawArraysInstanced(n,l,f,h),e.update(f,n,h))}function a(l,f,h){if(h===0)return;t.get("WEBGL_multi_draw").multiDrawArraysWEBGL(n,l,0,f,0,h);let p=0;for(let _=0;_<h;_++)p+=f[_];e.update(p,n,1)}function c(l,f,h,u){if(h===0)return;const p=t.get("WEBGL_multi_draw");if(p===null)for(let _=0;_<l.length;_++)o(l[_],f[_],u[_]);else{p.multiDrawArraysInstancedWEBGL(n,l,0,f,0,u,0,h);let _=0;for(let x=0;x<h;x++)_+=f[x]*u[x];e.update(_,n,1)}}this.setMode=s,this.render=r,this.renderInstances=o,this.renderMultiDraw=a,this.renderMultiDrawInstances=c}function Av(i,t,e,n){let s;function r(){if(s!==void 0)return s;if(t.has("EXT_texture_filter_anisotropic")===!0){const U=t.get("EXT_texture_filter_anisotropic");s=i.getParameter(U.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function o(U){return!(U!==vi&&n.convert(U)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(U){const O=U===To&&(t.has("EXT_color_buffer_half_float")||t.has("EXT_color_buffer_float"));return!(U!==Li&&n.convert(U)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_TYPE)&&U!==Ri&&!O)}function c(U){if(U==="highp"){if(i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.HIGH_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.HIGH_FLOAT).precision>0)return"highp";U="mediump"}return U==="mediump"&&i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.MEDIUM_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let l=e.precision!==void 0?e.precision:"highp";const f=c(l);f!==l&&(console.warn("THREE.WebGLRenderer:",l,"not supported, using",f,"instead."),l=f);const h=e.logarithmicDepthBuffer===!0,u=e.reversedDepthBuffer===!0&&t.has("EXT_clip_control"),p=i.getParameter(i.MAX_TEXTURE_IMAGE_UNITS),_=i.getParameter(i.MAX_VERTEX_TEXTURE_IMAGE_UNITS),x=i.getParameter(i.MAX_TEXTURE_SIZE),m=i.getParameter(i.MAX_CUBE_MAP_TEXTURE_SIZE),d=i.getParameter(i.MAX_VERTEX_ATTRIBS),T=i.getParameter(i.MAX_VERTEX_UNIFORM_VECTORS),A=i.getParameter(i.MAX_VARYING_VECTORS),S=i.getParameter(i.MAX_FRAGMENT_UNIFORM_VECTORS),L=_>0,C=i.getParameter(i.MAX_SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:c,textureFormatReadable:o,textureTypeReadable:a,precision:l,logarithmicDepthBuffer:h,reversedDepthBuffer:u,maxTextures:p,maxVertexTextures:_,maxTextureSize:x,maxCubemapSize:m,maxAttributes:d,maxVertexUniforms:T,maxVaryings:A,maxFragmentUniforms:S,vertexTextures:L,maxSamples:C}}function Rv(i){const t=this;let e=null,n=0,s=!1,r=!1;const o=new Vi,a=new ie,c={value:null,needsUpdate:!1};this.uniform=c,this.numPlanes=0,this.numIntersection=0,this.init=function(h,u){const p=h.length!==0||u||n!==0||s;return s=u,n=h.length,p},this.beginShadows=function(){r=!0,f(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(h,u){e=f(h,u,0)},this.setState=function(h,u,p){const _=h.clippingPlanes,x=h.clipIntersection,m=h.clipShadows,d=i.get(h);if(!s||_===null||_.length===0||r&&!m)r?f(null):l();else{const T=r?0:n,A=T*4;let S=d.clippingState||null;c.value=S,S=f(_,u,A,p);for(let L=0;L!==A;++L)S[L]=e[L];d.clippingState=S,this.numIntersection=x?this.numPlanes:0,this.numPlanes+=T}};function l(){c.value!==e&&(c.value=e,c.needsUpdate=n>0),t.numPlanes=n,t.numIntersection=0}function f(h,u,p,_){const x=h!==null?h.length:0;let m=null;if(x!==0){if(m=c.value,_!==!0||m===null){const d=p+x*4,T=u.matrixWorldInverse;a.getNormalMatrix(T),(m===null||m.length<d)&&(m=new Float32Array(d));for(let A=0,S=p;A!==x;++A,S+=4)o.copy(h[A]).applyMatrix4(T,a),o.normal.toArray(m,S),m[S+3]=o.constant}c.value=m,c.needsUpdate=!0}return t.numPlanes=x,t.numIntersection=0,m}}function Cv(i){let t=new WeakMap;function e(o,a){return a===lc?o.mapping=wr:a===cc&&(o.mapping=Ar),o}function n(o){if(o&&o.isTexture){const a=o.mapping;if(a===lc||a===cc)if(t.has(o)){const c=t.get(o).texture;return e(c,o.mapping)}else{const c=o.image;if(c&&c.height>0){const l=new yg(c.height);return l.fromEquirectangularTexture(i,o),t.set(o,l),o.addEventListener("dispose",s),e(l.texture,o.mapping)}else return null}}return o}function s(o){const a=o.target;a.removeEventListener("dispose",s);const c=t.get(a);c!==void 0&&(t.delete(a),c.dispose())}function r(){t=new WeakMap}return{get:n,dispose:r}}const xr=4,ku=[.125,.215,.35,.446,.526,.582],Ls=20,Il=new Bd,Hu=new ne;let Nl=null,Fl=0,Ol=0,Bl=!1;const Rs=(1+Math.sqrt(5))/2,mr=1/Rs,Vu=[new N(-Rs,mr,0),new N(Rs,mr,0),new N(-mr,0,Rs),new N(mr,0,Rs),new N(0,Rs,-mr),new N(0,Rs,mr),new N(-1,1,-1),new N(1,1,-1),new N(-1,1,1),new N(1,1,1)],Pv=new N;class Gu{constructor(t){this._renderer=t,this._pingPongRenderTarget=null,this._lodMax=0,this._cubeSize=0,this._lodPlanes=[],this._sizeLods=[],this._sigmas=[],this._blurMaterial=null,this._cubemapMaterial=null,this._equirectMaterial=null,this._compileMaterial(this._blurMaterial)}fromScene(t,e=0,n=.1,s=100,r={}){const{size:o=256,position:a=Pv}=r;Nl=this._renderer.getRenderTarget(),Fl=this._renderer.getActiveCubeFace(),Ol=this._renderer.getActiveMipmapLevel(),Bl=this._renderer.xr.enabled,this._renderer.xr.enabled=!1,this._setSize(o);const c=this._allocateTargets();return c.depthBuffer=!0,this._sceneToCubeUV(t,n,s,c,a),e>0&&this._blur(c,0,0,e),this._applyPMREM(c),this._cleanup(c),c}fromEquirectangular(t,e=null){return this._fromTexture(t,e)}fromCubemap(t,e=null){return this._fromTexture(t,e)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=Yu(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=Xu(),this._compileMaterial(this._equirectMaterial))}dispose(){this._dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose()}_setSize(t){this._lodMax=Math.floor(Math.log2(t)),this._cubeSize=Math.pow(2,this._lodMax)}_dispose(){this._blurMaterial!==null&&this._blurMaterial.dispose(),this._pingPongRenderTarget!==null&&this._pingPongRenderTarget.dispose();for(let t=0;t<this._lodPlanes.length;t++)this._lodPlanes[t].dispose()}_cleanup(t){this._renderer.setRenderTarget(Nl,Fl,Ol),this._renderer.xr.enabled=Bl,t.scissorTest=!1,ra(t,0,0,t.width,t.height)}_fromTexture(t,e){t.mapping===wr||t.mapping===Ar?this._setSize(t.image.length===0?16:t.image[0].width||t.image[0].image.width):this._setSize(t.image.width/4),Nl=this._renderer.getRenderTarget(),Fl=this._renderer.getActiveCubeFace(),Ol=this._renderer.getActiveMipmapLevel(),Bl=this._renderer.xr.enabled,this._renderer.xr.enabled=!1;const n=e||this._allocateTargets();return this._textureToCubeUV(t,n),this._applyPMREM(n),this._cleanup(n),n}_allocateTargets(){const t=3*Math.max(this._cubeSize,112),e=4*this._cubeSize,n={magFilter:_i,minFilter:_i,generateMipmaps:!1,type:To,format:vi,colorSpace:Rr,depthBuffer:!1},s=Wu(t,e,n);if(this._pingPongRenderTarget===null||this._pingPongRenderTarget.width!==t||this._pingPongRenderTarget.height!==e){this._pingPongRenderTarget!==null&&this._dispose(),this._pingPongRenderTarget=Wu(t,e,n);const{_lodMax:r}=this;({sizeLods:this._sizeLods,lodPlanes:this._lodPlanes,sigmas:this._sigmas}=Dv(r)),this._blurMaterial=Lv(r,t,e)}return s}_compileMaterial(t){const e=new _n(this._lodPlanes[0],t);this._renderer.compile(e,Il)}_sceneToCubeUV(t,e,n,s,r){const c=new On(90,1,e,n),l=[1,-1,1,1,1,1],f=[1,1,1,-1,-1,-1],h=this._renderer,u=h.autoClear,p=h.toneMapping;h.getClearColor(Hu),h.toneMapping=hs,h.autoClear=!1,h.state.buffers.depth.getReversed()&&(h.setRenderTarget(s),h.clearDepth(),h.setRenderTarget(null));const x=new Pi({name:"PMREM.Background",side:Bn,depthWrite:!1,depthTest:!1}),m=new _n(new Or,x);let d=!1;const T=t.background;T?T.isColor&&(x.color.copy(T),t.background=null,d=!0):(x.color.copy(Hu),d=!0);for(let A=0;A<6;A++){const S=A%3;S===0?(c.up.set(0,l[A],0),c.position.set(r.x,r.y,r.z),c.lookAt(r.x+f[A],r.y,r.z)):S===1?(c.up.set(0,0,l[A]),c.position.set(r.x,r.y,r.z),c.lookAt(r.x,r.y+f[A],r.z)):(c.up.set(0,l[A],0),c.position.set(r.x,r.y,r.z),c.lookAt(r.x,r.y,r.z+f[A]));const L=this._cubeSize;ra(s,S*L,A>2?L:0,L,L),h.setRenderTarget(s),d&&h.render(m,c),h.render(t,c)}m.geometry.dispose(),m.material.dispose(),h.toneMapping=p,h.autoClear=u,t.background=T}_textureToCubeUV(t,e){const n=this._renderer,s=t.mapping===wr||t.mapping===Ar;s?(this._cubemapMaterial===null&&(this._cubemapMaterial=Yu()),this._cubemapMaterial.uniforms.flipEnvMap.value=t.isRenderTargetTexture===!1?-1:1):this._equirectMaterial===null&&(this._equirectMaterial=Xu());const r=s?this._cubemapMaterial:this._equirectMaterial,o=new _n(this._lodPlanes[0],r),a=r.uniforms;a.envMap.value=t;const c=this._cubeSize;ra(e,0,0,3*c,2*c),n.setRenderTarget(e),n.render(o,Il)}_applyPMREM(t){const e=this._renderer,n=e.autoClear;e.autoClear=!1;const s=this._lodPlanes.length;for(let r=1;r<s;r++){const o=Math.sqrt(this._sigmas[r]*this._sigmas[r]-this._sigmas[r-1]*this._sigmas[r-1]),a=Vu[(s-r-1)%Vu.length];this._blur(t,r-1,r,o,a)}e.autoClear=n}_blur(t,e,n,s,r){const o=this._pingPongRenderTarget;this._halfBlur(t,o,e,n,s,"latitudinal",r),this._halfBlur(o,t,n,n,s,"longitudinal",r)}_halfBlur(t,e,n,s,r,o,a){const c=this._renderer,l=this._blurMaterial;o!=="latitudinal"&&o!=="longitudinal"&&console.error("blur direction must be either latitudinal or longitudinal!");const f=3,h=new _n(this._lodPlanes[s],l),u=l.uniforms,p=this._sizeLods[n]-1,_=isFinite(r)?Math.PI/(2*p):2*Math.PI/(2*Ls-1),x=r/_,m=isFinite(r)?1+Math.floor(f*x):Ls;m>Ls&&console.warn(`sigmaRadians, ${r}, is too large and will clip, as it requested ${m} samples when the maximum is set to ${Ls}`);const d=[];let T=0;for(let U=0;U<Ls;++U){const O=U/x,b=Math.exp(-O*O/2);d.push(b),U===0?T+=b:U<m&&(T+=2*b)}for(let U=0;U<d.length;U++)d[U]=d[U]/T;u.envMap.value=t.texture,u.samples.value=m,u.weights.value=d,u.latitudinal.value=o==="latitudinal",a&&(u.poleAxis.value=a);const{_lodMax:A}=this;u.dTheta.value=_,u.mipInt.value=A-n;const S=this._sizeLods[s],L=3*S*(s>A-xr?s-A+xr:0),C=4*(this._cubeSize-S);ra(e,L,C,3*S,2*S),c.setRenderTarget(e),c.render(h,Il)}}function Dv(i){const t=[],e=[],n=[];let s=i;const r=i-xr+1+ku.length;for(let o=0;o<r;o++){const a=Math.pow(2,s);e.push(a);let c=1/a;o>i-xr?c=ku[o-i+xr-1]:o===0&&(c=0),n.push(c);const l=1/(a-2),f=-l,h=1+l,u=[f,f,h,f,h,h,f,f,h,h,f,h],p=6,_=6,x=3,m=2,d=1,T=new Float32Array(x*_*p),A=new Float32Array(m*_*p),S=new Float32Array(d*_*p);for(let C=0;C<p;C++){const U=C%3*2/3-1,O=C>2?0:-1,b=[U,O,0,U+2/3,O,0,U+2/3,O+1,0,U,O,0,U+2/3,O+1,0,U,O+1,0];T.set(b,x*_*C),A.set(u,m*_*C);const E=[C,C,C,C,C,C];S.set(E,d*_*C)}const L=new Dn;L.setAttribute("position",new un(T,x)),L.setAttribute("uv",new un(A,m)),L.setAttribute("faceIndex",new un(S,d)),t.push(L),s>xr&&s--}return{lodPlanes:t,sizeLods:e,sigmas:n}}function Wu(i,t,e){const n=new zs(i,t,e);return n.texture.mapping=Na,n.texture.name="PMREM.cubeUv",n.scissorTest=!0,n}function ra(i,t,e,n,s){i.viewport.set(t,e,n,s),i.scissor.set(t,e,n,s)}function Lv(i,t,e){const n=new Float32Array(Ls),s=new N(0,1,0);return new ps({name:"SphericalGaussianBlur",defines:{n:Ls,CUBEUV_TEXEL_WIDTH:1/t,CUBEUV_TEXEL_HEIGHT:1/e,CUBEUV_MAX_MIP:`${i}.0`},uniforms:{envMap:{value:null},samples:{value:1},weights:{value:n},latitudinal:{value:!1},dTheta:{value:0},mipInt:{value:0},poleAxis:{value:s}},vertexShader:_h(),fragmentShader:`

			precision mediump float;
			precision mediump int;

			varying vec3 vOutputDirection;

			uniform sampler2D envMap;
			uniform int samples;
			uniform float weights[ n ];
			uniform bool latitudinal;
			uniform float dTheta;
			uniform float mipInt;
			uniform vec3 poleAxis;

			#define ENVMAP_TYPE_CUBE_UV
			#include <cube_uv_reflection_fragment>

			vec3 getSample( float theta, vec3 axis ) {

				float cosTheta = cos( theta );
				// Rodrigues' axis-angle rotation
				vec3 sampleDirection = vOutputDirection * cosTheta
					+ cross( axis, vOutputDirection ) * sin( theta )
					+ axis * dot( axis, vOutputDirection ) * ( 1.0 - cosTheta );

				return bilinearCubeUV( envMap, sampleDirection, mipInt );

			}

			void main() {

				vec3 axis = latitudinal ? poleAxis : cross( poleAxis, vOutputDirection );

				if ( all( equal( axis, vec3( 0.0 ) ) ) ) {

					axis = vec3( vOutputDirection.z, 0.0, - vOutputDirection.x );

				}

				axis = normalize( axis );

				gl_FragColor = vec4( 0.0, 0.0, 0.0, 1.0 );
				gl_FragColor.rgb += weights[ 0 ] * getSample( 0.0, axis );

				for ( int i = 1; i < n; i++ ) {

					if ( i >= samples ) {

						break;

					}

					float theta = dTheta * float( i );
					gl_FragColor.rgb += weights[ i ] * getSample( -1.0 * theta, axis );
					gl_FragColor.rgb += weights[ i ] * getSample( theta, axis );

				}

			}
		`,blending:cs,depthTest:!1,depthWrite:!1})}function Xu(){return new ps({name:"EquirectangularToCubeUV",uniforms:{envMap:{value:null}},vertexShader:_h(),fragmentShader:`

			precision mediump float;
			precision mediump int;

			varying vec3 vOutputDirection;

			uniform sampler2D envMap;

			#include <common>

			void main() {

				vec3 outputDirection = normalize( vOutputDirection );
				vec2 uv = equirectUv( outputDirection );

				gl_FragColor = vec4( texture2D ( envMap, uv ).rgb, 1.0 );

			}
		`,blending:cs,depthTest:!1,depthWrite:!1})}function Yu(){return new ps({name:"CubemapToCubeUV",uniforms:{envMap:{value:null},flipEnvMap:{value:-1}},vertexShader:_h(),fragmentShader:`

			precision mediump float;
			precision mediump int;

			uniform float flipEnvMap;

			varying vec3 vOutputDirection;

			uniform samplerCube envMap;

			void main() {

				gl_FragColor = textureCube( envMap, vec3( flipEnvMap * vOutputDirection.x, vOutputDirection.yz ) );

			}
		`,blending:cs,depthTest:!1,depthWrite:!1})}function _h(){return`

		precision mediump float;
		precision mediump int;

		attribute float faceIndex;

		varying vec3 vOutputDirection;

		// RH coordinate system; PMREM face-indexing convention
		vec3 getDirection( vec2 uv, float face ) {

			uv = 2.0 * uv - 1.0;

			vec3 direction = vec3( uv, 1.0 );

			if ( face == 0.0 ) {

				direction = direction.zyx; // ( 1, v, u ) pos x

			} else if ( face == 1.0 ) {

				direction = direction.xzy;
				direction.xz *= -1.0; // ( -u, 1, -v ) pos y

			} else if ( face == 2.0 ) {

				direction.x *= -1.0; // ( -u, v, 1 ) pos z

			} else if ( face == 3.0 ) {

				direction = direction.zyx;
				direction.xz *= -1.0; // ( -1, v, -u ) neg x

			} else if ( face == 4.0 ) {

				direction = direction.xzy;
				direction.xy *= -1.0; // ( -u, -1, v ) neg y

			} else if ( face == 5.0 ) {

				direction.z *= -1.0; // ( u, v, -1 ) neg z

			}

			return direction;

		}

		void main() {

			vOutputDirection = getDirection( uv, faceIndex );
			gl_Position = vec4( position, 1.0 );

		}
	`}function Uv(i){let t=new WeakMap,e=null;function n(a){if(a&&a.isTexture){const c=a.mapping,l=c===lc||c===cc,f=c===wr||c===Ar;if(l||f){let h=t.get(a);const u=h!==void 0?h.texture.pmremVersion:0;if(a.isRenderTargetTexture&&a.pmremVersion!==u)return e===null&&(e=new Gu(i)),h=l?e.fromEquirectangular(a,h):e.fromCubemap(a,h),h.texture.pmremVersion=a.pmremVersion,t.set(a,h),h.texture;if(h!==void 0)return h.texture;{const p=a.image;return l&&p&&p.height>0||f&&p&&s(p)?(e===null&&(e=new Gu(i)),h=l?e.fromEquirectangular(a):e.fromCubemap(a),h.texture.pmremVersion=a.pmremVersion,t.set(a,h),a.addEventListener("dispose",r),h.texture):null}}}return a}function s(a){let c=0;const l=6;for(let f=0;f<l;f++)a[f]!==void 0&&c++;return c===l}function r(a){const c=a.target;c.removeEventListener("dispose",r);const l=t.get(c);l!==void 0&&(t.delete(c),l.dispose())}function o(){t=new WeakMap,e!==null&&(e.dispose(),e=null)}return{get:n,dispose:o}}function Iv(i){const t={};function e(n){if(t[n]!==void 0)return t[n];let s;switch(n){case"WEBGL_depth_texture":s=i.getExtension("WEBGL_depth_texture")||i.getExtension("MOZ_WEBGL_depth_texture")||i.getExtension("WEBKIT_WEBGL_depth_texture");break;case"EXT_texture_filter_anisotropic":s=i.getExtension("EXT_texture_filter_anisotropic")||i.getExtension("MOZ_EXT_texture_filter_anisotropic")||i.getExtension("WEBKIT_EXT_texture_filter_anisotropic");break;case"WEBGL_compressed_texture_s3tc":s=i.getExtension("WEBGL_compressed_texture_s3tc")||i.getExtension("MOZ_WEBGL_compressed_texture_s3tc")||i.getExtension("WEBKIT_WEBGL_compressed_texture_s3tc");break;case"WEBGL_compressed_texture_pvrtc":s=i.getExtension("WEBGL_compressed_texture_pvrtc")||i.getExtension("WEBKIT_WEBGL_compressed_texture_pvrtc");break;default:s=i.getExtension(n)}return t[n]=s,s}return{has:function(n){return e(n)!==null},init:function(){e("EXT_color_buffer_float"),e("WEBGL_clip_cull_distance"),e("OES_texture_float_linear"),e("EXT_color_buffer_half_float"),e("WEBGL_multisampled_render_to_texture"),e("WEBGL_render_shared_exponent")},get:function(n){const s=e(n);return s===null&&yo("THREE.WebGLRenderer: "+n+" extension not supported."),s}}}function Nv(i,t,e,n){const s={},r=new WeakMap;function o(h){const u=h.target;u.index!==null&&t.remove(u.index);for(const _ in u.attributes)t.remove(u.attributes[_]);u.removeEventListener("dispose",o),delete s[u.id];const p=r.get(u);p&&(t.remove(p),r.delete(u)),n.releaseStatesOfGeometry(u),u.isInstancedBufferGeometry===!0&&delete u._maxInstanceCount,e.memory.geometries--}function a(h,u){return s[u.id]===!0||(u.addEventListener("dispose",o),s[u.id]=!0,e.memory.geometries++),u}function c(h){const u=h.attributes;for(const p in u)t.update(u[p],i.ARRAY_BUFFER)}function l(h){const u=[],p=h.index,_=h.attributes.position;let x=0;if(p!==null){const T=p.array;x=p.version;for(let A=0,S=T.length;A<S;A+=3){const L=T[A+0],C=T[A+1],U=T[A+2];u.push(L,C,C,U,U,L)}}else if(_!==void 0){const T=_.array;x=_.version;for(let A=0,S=T.length/3-1;A<S;A+=3){const L=A+0,C=A+1,U=A+2;u.push(L,C,C,U,U,L)}}else return;const m=new(wd(u)?Pd:Cd)(u,1);m.version=x;const d=r.get(h);d&&t.remove(d),r.set(h,m)}function f(h){const u=r.get(h);if(u){const p=h.index;p!==null&&u.version<p.version&&l(h)}else l(h);return r.get(h)}return{get:a,update:c,getWireframeAttribute:f}}function Fv(i,t,e){let n;function s(u){n=u}let r,o;function a(u){r=u.type,o=u.bytesPerElement}function c(u,p){i.drawElements(n,p,r,u*o),e.update(p,n,1)}function l(u,p,_){_!==0&&(i.drawElementsInstanced(n,p,r,u*o,_),e.update(p,n,_))}function f(u,p,_){if(_===0)return;t.get("WEBGL_multi_draw").multiDrawElementsWEBGL(n,p,0,r,u,0,_);let m=0;for(let d=0;d<_;d++)m+=p[d];e.update(m,n,1)}function h(u,p,_,x){if(_===0)return;const m=t.get("WEBGL_multi_draw");if(m===null)for(let d=0;d<u.length;d++)l(u[d]/o,p[d],x[d]);else{m.multiDrawElementsInstancedWEBGL(n,p,0,r,u,0,x,0,_);let d=0;for(let T=0;T<_;T++)d+=p[T]*x[T];e.update(d,n,1)}}this.setMode=s,this.setIndex=a,this.render=c,this.renderInstances=l,this.renderMultiDraw=f,this.renderMultiDrawInstances=h}function Ov(i){const t={geometries:0,textures:0},e={frame:0,calls:0,triangles:0,points:0,lines:0};function n(r,o,a){switch(e.calls++,o){case i.TRIANGLES:e.triangles+=a*(r/3);break;case i.LINES:e.lines+=a*(r/2);break;case i.LINE_STRIP:e.lines+=a*(r-1);break;case i.LINE_LOOP:e.lines+=a*r;break;case i.POINTS:e.points+=a*r;break;default:console.error("THREE.WebGLInfo: Unknown draw mode:",o);break}}function s(){e.calls=0,e.triangles=0,e.points=0,e.lines=0}return{memory:t,render:e,programs:null,autoReset:!0,reset:s,update:n}}function Bv(i,t,e){const n=new WeakMap,s=new Xe;function r(o,a,c){const l=o.morphTargetInfluences,f=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,h=f!==void 0?f.length:0;let u=n.get(a);if(u===void 0||u.count!==h){let E=function(){O.dispose(),n.delete(a),a.removeEventListener("dispose",E)};var p=E;u!==void 0&&u.texture.dispose();const _=a.morphAttributes.position!==void 0,x=a.morphAttributes.normal!==void 0,m=a.morphAttributes.color!==void 0,d=a.morphAttributes.position||[],T=a.morphAttributes.normal||[],A=a.morphAttributes.color||[];let S=0;_===!0&&(S=1),x===!0&&(S=2),m===!0&&(S=3);let L=a.attributes.position.count*S,C=1;L>t.maxTextureSize&&(C=Math.ceil(L/t.maxTextureSize),L=t.maxTextureSize);const U=new Float32Array(L*C*4*h),O=new Ad(U,L,C,h);O.type=Ri,O.needsUpdate=!0;const b=S*4;for(let R=0;R<h;R++){const k=d[R],V=T[R],Y=A[R],W=L*C*4*R;for(let K=0;K<k.count;K++){const q=K*b;_===!0&&(s.fromBufferAttribute(k,K),U[W+q+0]=s.x,U[W+q+1]=s.y,U[W+q+2]=s.z,U[W+q+3]=0),x===!0&&(s.fromBufferAttribute(V,K),U[W+q+4]=s.x,U[W+q+5]=s.y,U[W+q+6]=s.z,U[W+q+7]=0),m===!0&&(s.fromBufferAttribute(Y,K),U[W+q+8]=s.x,U[W+q+9]=s.y,U[W+q+10]=s.z,U[W+q+11]=Y.itemSize===4?s.w:1)}}u={count:h,texture:O,size:new Qt(L,C)},n.set(a,u),a.addEventListener("dispose",E)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)c.getUniforms().setValue(i,"morphTexture",o.morphTexture,e);else{let _=0;for(let m=0;m<l.length;m++)_+=l[m];const x=a.morphTargetsRelative?1:1-_;c.getUniforms().setValue(i,"morphTargetBaseInfluence",x),c.getUniforms().setValue(i,"morphTargetInfluences",l)}c.getUniforms().setValue(i,"morphTargetsTexture",u.texture,e),c.getUniforms().setValue(i,"morphTargetsTextureSize",u.size)}return{update:r}}function zv(i,t,e,n){let s=new WeakMap;function r(c){const l=n.render.frame,f=c.geometry,h=t.get(c,f);if(s.get(h)!==l&&(t.update(h),s.set(h,l)),c.isInstancedMesh&&(c.hasEventListener("dispose",a)===!1&&c.addEventListener("dispose",a),s.get(c)!==l&&(e.update(c.instanceMatrix,i.ARRAY_BUFFER),c.instanceColor!==null&&e.update(c.instanceColor,i.ARRAY_BUFFER),s.set(c,l))),c.isSkinnedMesh){const u=c.skeleton;s.get(u)!==l&&(u.update(),s.set(u,l))}return h}function o(){s=new WeakMap}function a(c){const l=c.target;l.removeEventListener("dispose",a),e.remove(l.instanceMatrix),l.instanceColor!==null&&e.remove(l.instanceColor)}return{update:r,dispose:o}}const kd=new Pn,qu=new Nd(1,1),Hd=new Ad,Vd=new rg,Gd=new Ud,Ku=[],ju=[],$u=new Float32Array(16),Zu=new Float32Array(9),Ju=new Float32Array(4);function zr(i,t,e){const n=i[0];if(n<=0||n>0)return i;const s=t*e;let r=Ku[s];if(r===void 0&&(r=new Float32Array(s),Ku[s]=r),t!==0){n.toArray(r,0);for(let o=1,a=0;o!==t;++o)a+=e,i[o].toArray(r,a)}return r}function tn(i,t){if(i.length!==t.length)return!1;for(let e=0,n=i.length;e<n;e++)if(i[e]!==t[e])return!1;return!0}function en(i,t){for(let e=0,n=t.length;e<n;e++)i[e]=t[e]}function Ba(i,t){let e=ju[t];e===void 0&&(e=new Int32Array(t),ju[t]=e);for(let n=0;n!==t;++n)e[n]=i.allocateTextureUnit();return e}function kv(i,t){const e=this.cache;e[0]!==t&&(i.uniform1f(this.addr,t),e[0]=t)}function Hv(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2f(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(tn(e,t))return;i.uniform2fv(this.addr,t),en(e,t)}}function Vv(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3f(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else if(t.r!==void 0)(e[0]!==t.r||e[1]!==t.g||e[2]!==t.b)&&(i.uniform3f(this.addr,t.r,t.g,t.b),e[0]=t.r,e[1]=t.g,e[2]=t.b);else{if(tn(e,t))return;i.uniform3fv(this.addr,t),en(e,t)}}function Gv(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4f(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(tn(e,t))return;i.uniform4fv(this.addr,t),en(e,t)}}function Wv(i,t){const e=this.cache,n=t.elements;if(n===void 0){if(tn(e,t))return;i.uniformMatrix2fv(this.addr,!1,t),en(e,t)}else{if(tn(e,n))return;Ju.set(n),i.uniformMatrix2fv(this.addr,!1,Ju),en(e,n)}}function Xv(i,t){const e=this.cache,n=t.elements;if(n===void 0){if(tn(e,t))return;i.uniformMatrix3fv(this.addr,!1,t),en(e,t)}else{if(tn(e,n))return;Zu.set(n),i.uniformMatrix3fv(this.addr,!1,Zu),en(e,n)}}function Yv(i,t){const e=this.cache,n=t.elements;if(n===void 0){if(tn(e,t))return;i.uniformMatrix4fv(this.addr,!1,t),en(e,t)}else{if(tn(e,n))return;$u.set(n),i.uniformMatrix4fv(this.addr,!1,$u),en(e,n)}}function qv(i,t){const e=this.cache;e[0]!==t&&(i.uniform1i(this.addr,t),e[0]=t)}function Kv(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2i(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(tn(e,t))return;i.uniform2iv(this.addr,t),en(e,t)}}function jv(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3i(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(tn(e,t))return;i.uniform3iv(this.addr,t),en(e,t)}}function $v(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4i(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(tn(e,t))return;i.uniform4iv(this.addr,t),en(e,t)}}function Zv(i,t){const e=this.cache;e[0]!==t&&(i.uniform1ui(this.addr,t),e[0]=t)}function Jv(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2ui(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(tn(e,t))return;i.uniform2uiv(this.addr,t),en(e,t)}}function Qv(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3ui(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(tn(e,t))return;i.uniform3uiv(this.addr,t),en(e,t)}}function tx(i,t){const e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4ui(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(tn(e,t))return;i.uniform4uiv(this.addr,t),en(e,t)}}function ex(i,t,e){const n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_2D_SHADOW?(qu.compareFunction=Td,r=qu):r=kd,e.setTexture2D(t||r,s)}function nx(i,t,e){const n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture3D(t||Vd,s)}function ix(i,t,e){const n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTextureCube(t||Gd,s)}function sx(i,t,e){const n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture2DArray(t||Hd,s)}function rx(i){switch(i){case 5126:return kv;case 35664:return Hv;case 35665:return Vv;case 35666:return Gv;case 35674:return Wv;case 35675:return Xv;case 35676:return Yv;case 5124:case 35670:return qv;case 35667:case 35671:return Kv;case 35668:case 35672:return jv;case 35669:case 35673:return $v;case 5125:return Zv;case 36294:return Jv;case 36295:return Qv;case 36296:return tx;case 35678:case 36198:case 36298:case 36306:case 35682:return ex;case 35679:case 36299:case 36307:return nx;case 35680:case 36300:case 36308:case 36293:return ix;case 36289:case 36303:case 36311:case 36292:return sx}}function ox(i,t){i.uniform1fv(this.addr,t)}function ax(i,t){const e=zr(t,this.size,2);i.uniform2fv(this.addr,e)}function lx(i,t){const e=zr(t,this.size,3);i.uniform3fv(this.addr,e)}function cx(i,t){const e=zr(t,this.size,4);i.uniform4fv(this.addr,e)}function hx(i,t){const e=zr(t,this.size,4);i.uniformMatrix2fv(this.addr,!1,e)}function ux(i,t){const e=zr(t,this.size,9);i.uniformMatrix3fv(this.addr,!1,e)}function fx(i,t){const e=zr(t,this.size,16);i.uniformMatrix4fv(this.addr,!1,e)}function dx(i,t){i.uniform1iv(this.addr,t)}function px(i,t){i.uniform2iv(this.addr,t)}function mx(i,t){i.uniform3iv(this.addr,t)}function gx(i,t){i.uniform4iv(this.addr,t)}function _x(i,t){i.uniform1uiv(this.addr,t)}function vx(i,t){i.uniform2uiv(this.addr,t)}function xx(i,t){i.uniform3uiv(this.addr,t)}function Mx(i,t){i.uniform4uiv(this.addr,t)}function Sx(i,t,e){const n=this.cache,s=t.length,r=Ba(e,s);tn(n,r)||(i.uniform1iv(this.addr,r),en(n,r));for(let o=0;o!==s;++o)e.setTexture2D(t[o]||kd,r[o])}function yx(i,t,e){const n=this.cache,s=t.length,r=Ba(e,s);tn(n,r)||(i.uniform1iv(this.addr,r),en(n,r));for(let o=0;o!==s;++o)e.setTexture3D(t[o]||Vd,r[o])}function Ex(i,t,e){const n=this.cache,s=t.length,r=Ba(e,s);tn(n,r)||(i.uniform1iv(this.addr,r),en(n,r));for(let o=0;o!==s;++o)e.setTextureCube(t[o]||Gd,r[o])}function bx(i,t,e){const n=this.cache,s=t.length,r=Ba(e,s);tn(n,r)||(i.uniform1iv(this.addr,r),en(n,r));for(let o=0;o!==s;++o)e.setTexture2DArray(t[o]||Hd,r[o])}function Tx(i){switch(i){case 5126:return ox;case 35664:return ax;case 35665:return lx;case 35666:return cx;case 35674:return hx;case 35675:return ux;case 35676:return fx;case 5124:case 35670:return dx;case 35667:case 35671:return px;case 35668:case 35672:return mx;case 35669:case 35673:return gx;case 5125:return _x;case 36294:return vx;case 36295:return xx;case 36296:return Mx;case 35678:case 36198:case 36298:case 36306:case 35682:return Sx;case 35679:case 36299:case 36307:return yx;case 35680:case 36300:case 36308:case 36293:return Ex;case 36289:case 36303:case 36311:case 36292:return bx}}class wx{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.setValue=rx(e.type)}}class Ax{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.size=e.size,this.setValue=Tx(e.type)}}class Rx{constructor(t){this.id=t,this.seq=[],this.map={}}setValue(t,e,n){const s=this.seq;for(let r=0,o=s.length;r!==o;++r){const a=s[r];a.setValue(t,e[a.id],n)}}}const zl=/(\w+)(\])?(\[|\.)?/g;function Qu(i,t){i.seq.push(t),i.map[t.id]=t}function Cx(i,t,e){const n=i.name,s=n.length;for(zl.lastIndex=0;;){const r=zl.exec(n),o=zl.lastIndex;let a=r[1];const c=r[2]==="]",l=r[3];if(c&&(a=a|0),l===void 0||l==="["&&o+2===s){Qu(e,l===void 0?new wx(a,i,t):new Ax(a,i,t));break}else{let h=e.map[a];h===void 0&&(h=new Rx(a),Qu(e,h)),e=h}}}class xa{constructor(t,e){this.seq=[],this.map={};const n=t.getProgramParameter(e,t.ACTIVE_UNIFORMS);for(let s=0;s<n;++s){const r=t.getActiveUniform(e,s),o=t.getUniformLocation(e,r.name);Cx(r,o,this)}}setValue(t,e,n,s){const r=this.map[e];r!==void 0&&r.setValue(t,n,s)}setOptional(t,e,n){const s=e[n];s!==void 0&&this.setValue(t,n,s)}static upload(t,e,n,s){for(let r=0,o=e.length;r!==o;++r){const a=e[r],c=n[a.id];c.needsUpdate!==!1&&a.setValue(t,c.value,s)}}static seqWithValue(t,e){const n=[];for(let s=0,r=t.length;s!==r;++s){const o=t[s];o.id in e&&n.push(o)}return n}}function tf(i,t,e){const n=i.createShader(t);return i.shaderSource(n,e),i.compileShader(n),n}const Px=37297;let Dx=0;function Lx(i,t){const e=i.split(`
`),n=[],s=Math.max(t-6,0),r=Math.min(t+6,e.length);for(let o=s;o<r;o++){const a=o+1;n.push(`${a===t?">":" "} ${a}: ${e[o]}`)}return n.join(`
`)}const ef=new ie;function Ux(i){me._getMatrix(ef,me.workingColorSpace,i);const t=`mat3( ${ef.elements.map(e=>e.toFixed(4))} )`;switch(me.getTransfer(i)){case ya:return[t,"LinearTransferOETF"];case Ae:return[t,"sRGBTransferOETF"];default:return console.warn("THREE.WebGLProgram: Unsupported color space: ",i),[t,"LinearTransferOETF"]}}function nf(i,t,e){const n=i.getShaderParameter(t,i.COMPILE_STATUS),r=(i.getShaderInfoLog(t)||"").trim();if(n&&r==="")return"";const o=/ERROR: 0:(\d+)/.exec(r);if(o){const a=parseInt(o[1]);return e.toUpperCase()+`

`+r+`

`+Lx(i.getShaderSource(t),a)}else return r}function Ix(i,t){const e=Ux(t);return[`vec4 ${i}( vec4 value ) {`,`	return ${e[1]}( vec4( value.rgb * ${e[0]}, value.a ) );`,"}"].join(`
`)}function Nx(i,t){let e;switch(t){case Lm:e="Linear";break;case Um:e="Reinhard";break;case Im:e="Cineon";break;case Nm:e="ACESFilmic";break;case Om:e="AgX";break;case Bm:e="Neutral";break;case Fm:e="Custom";break;default:console.warn("THREE.WebGLProgram: Unsupported toneMapping:",t),e="Linear"}return"vec3 "+i+"( vec3 color ) { return "+e+"ToneMapping( color ); }"}const oa=new N;function Fx(){me.getLuminanceCoefficients(oa);const i=oa.x.toFixed(4),t=oa.y.toFixed(4),e=oa.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${i}, ${t}, ${e} );`,"	return dot( weights, rgb );","}"].join(`
`)}function Ox(i){return[i.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",i.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(ro).join(`
`)}function Bx(i){const t=[];for(const e in i){const n=i[e];n!==!1&&t.push("#define "+e+" "+n)}return t.join(`
`)}function zx(i,t){const e={},n=i.getProgramParameter(t,i.ACTIVE_ATTRIBUTES);for(let s=0;s<n;s++){const r=i.getActiveAttrib(t,s),o=r.name;let a=1;r.type===i.FLOAT_MAT2&&(a=2),r.type===i.FLOAT_MAT3&&(a=3),r.type===i.FLOAT_MAT4&&(a=4),e[o]={type:r.type,location:i.getAttribLocation(t,o),locationSize:a}}return e}function ro(i){return i!==""}function sf(i,t){const e=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return i.replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,e).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows)}function rf(i,t){return i.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}const kx=/^[ \t]*#include +<([\w\d./]+)>/gm;function Gc(i){return i.replace(kx,Vx)}const Hx=new Map;function Vx(i,t){let e=re[t];if(e===void 0){const n=Hx.get(t);if(n!==void 0)e=re[n],console.warn('THREE.WebGLRenderer: Shader chunk "%s" has been deprecated. Use "%s" instead.',t,n);else throw new Error("Can not resolve #include <"+t+">")}return Gc(e)}const Gx=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function of(i){return i.replace(Gx,Wx)}function Wx(i,t,e,n){let s="";for(let r=parseInt(t);r<parseInt(e);r++)s+=n.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function af(i){let t=`precision ${i.precision} float;
	precision ${i.precision} int;
	precision ${i.precision} sampler2D;
	precision ${i.precision} samplerCube;
	precision ${i.precision} sampler3D;
	precision ${i.precision} sampler2DArray;
	precision ${i.precision} sampler2DShadow;
	precision ${i.precision} samplerCubeShadow;
	precision ${i.precision} sampler2DArrayShadow;
	precision ${i.precision} isampler2D;
	precision ${i.precision} isampler3D;
	precision ${i.precision} isamplerCube;
	precision ${i.precision} isampler2DArray;
	precision ${i.precision} usampler2D;
	precision ${i.precision} usampler3D;
	precision ${i.precision} usamplerCube;
	precision ${i.precision} usampler2DArray;
	`;return i.precision==="highp"?t+=`
#define HIGH_PRECISION`:i.precision==="mediump"?t+=`
#define MEDIUM_PRECISION`:i.precision==="lowp"&&(t+=`
#define LOW_PRECISION`),t}function Xx(i){let t="SHADOWMAP_TYPE_BASIC";return i.shadowMapType===md?t="SHADOWMAP_TYPE_PCF":i.shadowMapType===gd?t="SHADOWMAP_TYPE_PCF_SOFT":i.shadowMapType===Hi&&(t="SHADOWMAP_TYPE_VSM"),t}function Yx(i){let t="ENVMAP_TYPE_CUBE";if(i.envMap)switch(i.envMapMode){case wr:case Ar:t="ENVMAP_TYPE_CUBE";break;case Na:t="ENVMAP_TYPE_CUBE_UV";break}return t}function qx(i){let t="ENVMAP_MODE_REFLECTION";if(i.envMap)switch(i.envMapMode){case Ar:t="ENVMAP_MODE_REFRACTION";break}return t}function Kx(i){let t="ENVMAP_BLENDING_NONE";if(i.envMap)switch(i.combine){case sh:t="ENVMAP_BLENDING_MULTIPLY";break;case Pm:t="ENVMAP_BLENDING_MIX";break;case Dm:t="ENVMAP_BLENDING_ADD";break}return t}function jx(i){const t=i.envMapCubeUVHeight;if(t===null)return null;const e=Math.log2(t)-2,n=1/t;return{texelWidth:1/(3*Math.max(Math.pow(2,e),7*16)),texelHeight:n,maxMip:e}}function $x(i,t,e,n){const s=i.getContext(),r=e.defines;let o=e.vertexShader,a=e.fragmentShader;const c=Xx(e),l=Yx(e),f=qx(e),h=Kx(e),u=jx(e),p=Ox(e),_=Bx(r),x=s.createProgram();let m,d,T=e.glslVersion?"#version "+e.glslVersion+`
`:"";e.isRawShaderMaterial?(m=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,_].filter(ro).join(`
`),m.length>0&&(m+=`
`),d=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,_].filter(ro).join(`
`),d.length>0&&(d+=`
`)):(m=[af(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,_,e.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",e.batching?"#define USE_BATCHING":"",e.batchingColor?"#define USE_BATCHING_COLOR":"",e.instancing?"#define USE_INSTANCING":"",e.instancingColor?"#define USE_INSTANCING_COLOR":"",e.instancingMorph?"#define USE_INSTANCING_MORPH":"",e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.map?"#define USE_MAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+f:"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.displacementMap?"#define USE_DISPLACEMENTMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.mapUv?"#define MAP_UV "+e.mapUv:"",e.alphaMapUv?"#define ALPHAMAP_UV "+e.alphaMapUv:"",e.lightMapUv?"#define LIGHTMAP_UV "+e.lightMapUv:"",e.aoMapUv?"#define AOMAP_UV "+e.aoMapUv:"",e.emissiveMapUv?"#define EMISSIVEMAP_UV "+e.emissiveMapUv:"",e.bumpMapUv?"#define BUMPMAP_UV "+e.bumpMapUv:"",e.normalMapUv?"#define NORMALMAP_UV "+e.normalMapUv:"",e.displacementMapUv?"#define DISPLACEMENTMAP_UV "+e.displacementMapUv:"",e.metalnessMapUv?"#define METALNESSMAP_UV "+e.metalnessMapUv:"",e.roughnessMapUv?"#define ROUGHNESSMAP_UV "+e.roughnessMapUv:"",e.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+e.anisotropyMapUv:"",e.clearcoatMapUv?"#define CLEARCOATMAP_UV "+e.clearcoatMapUv:"",e.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+e.clearcoatNormalMapUv:"",e.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+e.clearcoatRoughnessMapUv:"",e.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+e.iridescenceMapUv:"",e.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+e.iridescenceThicknessMapUv:"",e.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+e.sheenColorMapUv:"",e.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+e.sheenRoughnessMapUv:"",e.specularMapUv?"#define SPECULARMAP_UV "+e.specularMapUv:"",e.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+e.specularColorMapUv:"",e.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+e.specularIntensityMapUv:"",e.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+e.transmissionMapUv:"",e.thicknessMapUv?"#define THICKNESSMAP_UV "+e.thicknessMapUv:"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.flatShading?"#define FLAT_SHADED":"",e.skinning?"#define USE_SKINNING":"",e.morphTargets?"#define USE_MORPHTARGETS":"",e.morphNormals&&e.flatShading===!1?"#define USE_MORPHNORMALS":"",e.morphColors?"#define USE_MORPHCOLORS":"",e.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+e.morphTextureStride:"",e.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+e.morphTargetsCount:"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+c:"",e.sizeAttenuation?"#define USE_SIZEATTENUATION":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(ro).join(`
`),d=[af(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,_,e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",e.map?"#define USE_MAP":"",e.matcap?"#define USE_MATCAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+l:"",e.envMap?"#define "+f:"",e.envMap?"#define "+h:"",u?"#define CUBEUV_TEXEL_WIDTH "+u.texelWidth:"",u?"#define CUBEUV_TEXEL_HEIGHT "+u.texelHeight:"",u?"#define CUBEUV_MAX_MIP "+u.maxMip+".0":"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoat?"#define USE_CLEARCOAT":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.dispersion?"#define USE_DISPERSION":"",e.iridescence?"#define USE_IRIDESCENCE":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaTest?"#define USE_ALPHATEST":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.sheen?"#define USE_SHEEN":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors||e.instancingColor||e.batchingColor?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.gradientMap?"#define USE_GRADIENTMAP":"",e.flatShading?"#define FLAT_SHADED":"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+c:"",e.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",e.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",e.toneMapping!==hs?"#define TONE_MAPPING":"",e.toneMapping!==hs?re.tonemapping_pars_fragment:"",e.toneMapping!==hs?Nx("toneMapping",e.toneMapping):"",e.dithering?"#define DITHERING":"",e.opaque?"#define OPAQUE":"",re.colorspace_pars_fragment,Ix("linearToOutputTexel",e.outputColorSpace),Fx(),e.useDepthPacking?"#define DEPTH_PACKING "+e.depthPacking:"",`
`].filter(ro).join(`
`)),o=Gc(o),o=sf(o,e),o=rf(o,e),a=Gc(a),a=sf(a,e),a=rf(a,e),o=of(o),a=of(a),e.isRawShaderMaterial!==!0&&(T=`#version 300 es
`,m=[p,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+m,d=["#define varying in",e.glslVersion===lu?"":"layout(location = 0) out highp vec4 pc_fragColor;",e.glslVersion===lu?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+d);const A=T+m+o,S=T+d+a,L=tf(s,s.VERTEX_SHADER,A),C=tf(s,s.FRAGMENT_SHADER,S);s.attachShader(x,L),s.attachShader(x,C),e.index0AttributeName!==void 0?s.bindAttribLocation(x,0,e.index0AttributeName):e.morphTargets===!0&&s.bindAttribLocation(x,0,"position"),s.linkProgram(x);function U(R){if(i.debug.checkShaderErrors){const k=s.getProgramInfoLog(x)||"",V=s.getShaderInfoLog(L)||"",Y=s.getShaderInfoLog(C)||"",W=k.trim(),K=V.trim(),q=Y.trim();let J=!0,ot=!0;if(s.getProgramParameter(x,s.LINK_STATUS)===!1)if(J=!1,typeof i.debug.onShaderError=="function")i.debug.onShaderError(s,x,L,C);else{const at=nf(s,L,"vertex"),_t=nf(s,C,"fragment");console.error("THREE.WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(x,s.VALIDATE_STATUS)+`

Material Name: `+R.name+`
Material Type: `+R.type+`

Program Info Log: `+W+`
`+at+`
`+_t)}else W!==""?console.warn("THREE.WebGLProgram: Program Info Log:",W):(K===""||q==="")&&(ot=!1);ot&&(R.diagnostics={runnable:J,programLog:W,vertexShader:{log:K,prefix:m},fragmentShader:{log:q,prefix:d}})}s.deleteShader(L),s.deleteShader(C),O=new xa(s,x),b=zx(s,x)}let O;this.getUniforms=function(){return O===void 0&&U(this),O};let b;this.getAttributes=function(){return b===void 0&&U(this),b};let E=e.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return E===!1&&(E=s.getProgramParameter(x,Px)),E},this.destroy=function(){n.releaseStatesOfProgram(this),s.deleteProgram(x),this.program=void 0},this.type=e.shaderType,this.name=e.shaderName,this.id=Dx++,this.cacheKey=t,this.usedTimes=1,this.program=x,this.vertexShader=L,this.fragmentShader=C,this}let Zx=0;class Jx{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(t){const e=t.vertexShader,n=t.fragmentShader,s=this._getShaderStage(e),r=this._getShaderStage(n),o=this._getShaderCacheForMaterial(t);return o.has(s)===!1&&(o.add(s),s.usedTimes++),o.has(r)===!1&&(o.add(r),r.usedTimes++),this}remove(t){const e=this.materialCache.get(t);for(const n of e)n.usedTimes--,n.usedTimes===0&&this.shaderCache.delete(n.code);return this.materialCache.delete(t),this}getVertexShaderID(t){return this._getShaderStage(t.vertexShader).id}getFragmentShaderID(t){return this._getShaderStage(t.fragmentShader).id}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(t){const e=this.materialCache;let n=e.get(t);return n===void 0&&(n=new Set,e.set(t,n)),n}_getShaderStage(t){const e=this.shaderCache;let n=e.get(t);return n===void 0&&(n=new Qx(t),e.set(t,n)),n}}class Qx{constructor(t){this.id=Zx++,this.code=t,this.usedTimes=0}}function tM(i,t,e,n,s,r,o){const a=new ph,c=new Jx,l=new Set,f=[],h=s.logarithmicDepthBuffer,u=s.vertexTextures;let p=s.precision;const _={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distanceRGBA",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function x(b){return l.add(b),b===0?"uv":`uv${b}`}function m(b,E,R,k,V){const Y=k.fog,W=V.geometry,K=b.isMeshStandardMaterial?k.environment:null,q=(b.isMeshStandardMaterial?e:t).get(b.envMap||K),J=q&&q.mapping===Na?q.image.height:null,ot=_[b.type];b.precision!==null&&(p=s.getMaxPrecision(b.precision),p!==b.precision&&console.warn("THREE.WebGLProgram.getParameters:",b.precision,"not supported, using",p,"instead."));const at=W.morphAttributes.position||W.morphAttributes.normal||W.morphAttributes.color,_t=at!==void 0?at.length:0;let Mt=0;W.morphAttributes.position!==void 0&&(Mt=1),W.morphAttributes.normal!==void 0&&(Mt=2),W.morphAttributes.color!==void 0&&(Mt=3);let gt,te,jt,Q;if(ot){const fe=Ai[ot];gt=fe.vertexShader,te=fe.fragmentShader}else gt=b.vertexShader,te=b.fragmentShader,c.update(b),jt=c.getVertexShaderID(b),Q=c.getFragmentShaderID(b);const et=i.getRenderTarget(),Et=i.state.buffers.depth.getReversed(),Bt=V.isInstancedMesh===!0,vt=V.isBatchedMesh===!0,$t=!!b.map,Ue=!!b.matcap,I=!!q,ue=!!b.aoMap,Yt=!!b.lightMap,Vt=!!b.bumpMap,Ut=!!b.normalMap,Ee=!!b.displacementMap,Rt=!!b.emissiveMap,Ht=!!b.metalnessMap,Oe=!!b.roughnessMap,_e=b.anisotropy>0,P=b.clearcoat>0,v=b.dispersion>0,F=b.iridescence>0,$=b.sheen>0,nt=b.transmission>0,tt=_e&&!!b.anisotropyMap,It=P&&!!b.clearcoatMap,ht=P&&!!b.clearcoatNormalMap,Pt=P&&!!b.clearcoatRoughnessMap,wt=F&&!!b.iridescenceMap,rt=F&&!!b.iridescenceThicknessMap,mt=$&&!!b.sheenColorMap,Ot=$&&!!b.sheenRoughnessMap,Ft=!!b.specularMap,xt=!!b.specularColorMap,Kt=!!b.specularIntensityMap,B=nt&&!!b.transmissionMap,ut=nt&&!!b.thicknessMap,dt=!!b.gradientMap,Ct=!!b.alphaMap,ct=b.alphaTest>0,st=!!b.alphaHash,Nt=!!b.extensions;let Zt=hs;b.toneMapped&&(et===null||et.isXRRenderTarget===!0)&&(Zt=i.toneMapping);const Te={shaderID:ot,shaderType:b.type,shaderName:b.name,vertexShader:gt,fragmentShader:te,defines:b.defines,customVertexShaderID:jt,customFragmentShaderID:Q,isRawShaderMaterial:b.isRawShaderMaterial===!0,glslVersion:b.glslVersion,precision:p,batching:vt,batchingColor:vt&&V._colorsTexture!==null,instancing:Bt,instancingColor:Bt&&V.instanceColor!==null,instancingMorph:Bt&&V.morphTexture!==null,supportsVertexTextures:u,outputColorSpace:et===null?i.outputColorSpace:et.isXRRenderTarget===!0?et.texture.colorSpace:Rr,alphaToCoverage:!!b.alphaToCoverage,map:$t,matcap:Ue,envMap:I,envMapMode:I&&q.mapping,envMapCubeUVHeight:J,aoMap:ue,lightMap:Yt,bumpMap:Vt,normalMap:Ut,displacementMap:u&&Ee,emissiveMap:Rt,normalMapObjectSpace:Ut&&b.normalMapType===Vm,normalMapTangentSpace:Ut&&b.normalMapType===fh,metalnessMap:Ht,roughnessMap:Oe,anisotropy:_e,anisotropyMap:tt,clearcoat:P,clearcoatMap:It,clearcoatNormalMap:ht,clearcoatRoughnessMap:Pt,dispersion:v,iridescence:F,iridescenceMap:wt,iridescenceThicknessMap:rt,sheen:$,sheenColorMap:mt,sheenRoughnessMap:Ot,specularMap:Ft,specularColorMap:xt,specularIntensityMap:Kt,transmission:nt,transmissionMap:B,thicknessMap:ut,gradientMap:dt,opaque:b.transparent===!1&&b.blending===Sr&&b.alphaToCoverage===!1,alphaMap:Ct,alphaTest:ct,alphaHash:st,combine:b.combine,mapUv:$t&&x(b.map.channel),aoMapUv:ue&&x(b.aoMap.channel),lightMapUv:Yt&&x(b.lightMap.channel),bumpMapUv:Vt&&x(b.bumpMap.channel),normalMapUv:Ut&&x(b.normalMap.channel),displacementMapUv:Ee&&x(b.displacementMap.channel),emissiveMapUv:Rt&&x(b.emissiveMap.channel),metalnessMapUv:Ht&&x(b.metalnessMap.channel),roughnessMapUv:Oe&&x(b.roughnessMap.channel),anisotropyMapUv:tt&&x(b.anisotropyMap.channel),clearcoatMapUv:It&&x(b.clearcoatMap.channel),clearcoatNormalMapUv:ht&&x(b.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:Pt&&x(b.clearcoatRoughnessMap.channel),iridescenceMapUv:wt&&x(b.iridescenceMap.channel),iridescenceThicknessMapUv:rt&&x(b.iridescenceThicknessMap.channel),sheenColorMapUv:mt&&x(b.sheenColorMap.channel),sheenRoughnessMapUv:Ot&&x(b.sheenRoughnessMap.channel),specularMapUv:Ft&&x(b.specularMap.channel),specularColorMapUv:xt&&x(b.specularColorMap.channel),specularIntensityMapUv:Kt&&x(b.specularIntensityMap.channel),transmissionMapUv:B&&x(b.transmissionMap.channel),thicknessMapUv:ut&&x(b.thicknessMap.channel),alphaMapUv:Ct&&x(b.alphaMap.channel),vertexTangents:!!W.attributes.tangent&&(Ut||_e),vertexColors:b.vertexColors,vertexAlphas:b.vertexColors===!0&&!!W.attributes.color&&W.attributes.color.itemSize===4,pointsUvs:V.isPoints===!0&&!!W.attributes.uv&&($t||Ct),fog:!!Y,useFog:b.fog===!0,fogExp2:!!Y&&Y.isFogExp2,flatShading:b.flatShading===!0&&b.wireframe===!1,sizeAttenuation:b.sizeAttenuation===!0,logarithmicDepthBuffer:h,reversedDepthBuffer:Et,skinning:V.isSkinnedMesh===!0,morphTargets:W.morphAttributes.position!==void 0,morphNormals:W.morphAttributes.normal!==void 0,morphColors:W.morphAttributes.color!==void 0,morphTargetsCount:_t,morphTextureStride:Mt,numDirLights:E.directional.length,numPointLights:E.point.length,numSpotLights:E.spot.length,numSpotLightMaps:E.spotLightMap.length,numRectAreaLights:E.rectArea.length,numHemiLights:E.hemi.length,numDirLightShadows:E.directionalShadowMap.length,numPointLightShadows:E.pointShadowMap.length,numSpotLightShadows:E.spotShadowMap.length,numSpotLightShadowsWithMaps:E.numSpotLightShadowsWithMaps,numLightProbes:E.numLightProbes,numClippingPlanes:o.numPlanes,numClipIntersection:o.numIntersection,dithering:b.dithering,shadowMapEnabled:i.shadowMap.enabled&&R.length>0,shadowMapType:i.shadowMap.type,toneMapping:Zt,decodeVideoTexture:$t&&b.map.isVideoTexture===!0&&me.getTransfer(b.map.colorSpace)===Ae,decodeVideoTextureEmissive:Rt&&b.emissiveMap.isVideoTexture===!0&&me.getTransfer(b.emissiveMap.colorSpace)===Ae,premultipliedAlpha:b.premultipliedAlpha,doubleSided:b.side===ii,flipSided:b.side===Bn,useDepthPacking:b.depthPacking>=0,depthPacking:b.depthPacking||0,index0AttributeName:b.index0AttributeName,extensionClipCullDistance:Nt&&b.extensions.clipCullDistance===!0&&n.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(Nt&&b.extensions.multiDraw===!0||vt)&&n.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:n.has("KHR_parallel_shader_compile"),customProgramCacheKey:b.customProgramCacheKey()};return Te.vertexUv1s=l.has(1),Te.vertexUv2s=l.has(2),Te.vertexUv3s=l.has(3),l.clear(),Te}function d(b){const E=[];if(b.shaderID?E.push(b.shaderID):(E.push(b.customVertexShaderID),E.push(b.customFragmentShaderID)),b.defines!==void 0)for(const R in b.defines)E.push(R),E.push(b.defines[R]);return b.isRawShaderMaterial===!1&&(T(E,b),A(E,b),E.push(i.outputColorSpace)),E.push(b.customProgramCacheKey),E.join()}function T(b,E){b.push(E.precision),b.push(E.outputColorSpace),b.push(E.envMapMode),b.push(E.envMapCubeUVHeight),b.push(E.mapUv),b.push(E.alphaMapUv),b.push(E.lightMapUv),b.push(E.aoMapUv),b.push(E.bumpMapUv),b.push(E.normalMapUv),b.push(E.displacementMapUv),b.push(E.emissiveMapUv),b.push(E.metalnessMapUv),b.push(E.roughnessMapUv),b.push(E.anisotropyMapUv),b.push(E.clearcoatMapUv),b.push(E.clearcoatNormalMapUv),b.push(E.clearcoatRoughnessMapUv),b.push(E.iridescenceMapUv),b.push(E.iridescenceThicknessMapUv),b.push(E.sheenColorMapUv),b.push(E.sheenRoughnessMapUv),b.push(E.specularMapUv),b.push(E.specularColorMapUv),b.push(E.specularIntensityMapUv),b.push(E.transmissionMapUv),b.push(E.thicknessMapUv),b.push(E.combine),b.push(E.fogExp2),b.push(E.sizeAttenuation),b.push(E.morphTargetsCount),b.push(E.morphAttributeCount),b.push(E.numDirLights),b.push(E.numPointLights),b.push(E.numSpotLights),b.push(E.numSpotLightMaps),b.push(E.numHemiLights),b.push(E.numRectAreaLights),b.push(E.numDirLightShadows),b.push(E.numPointLightShadows),b.push(E.numSpotLightShadows),b.push(E.numSpotLightShadowsWithMaps),b.push(E.numLightProbes),b.push(E.shadowMapType),b.push(E.toneMapping),b.push(E.numClippingPlanes),b.push(E.numClipIntersection),b.push(E.depthPacking)}function A(b,E){a.disableAll(),E.supportsVertexTextures&&a.enable(0),E.instancing&&a.enable(1),E.instancingColor&&a.enable(2),E.instancingMorph&&a.enable(3),E.matcap&&a.enable(4),E.envMap&&a.enable(5),E.normalMapObjectSpace&&a.enable(6),E.normalMapTangentSpace&&a.enable(7),E.clearcoat&&a.enable(8),E.iridescence&&a.enable(9),E.alphaTest&&a.enable(10),E.vertexColors&&a.enable(11),E.vertexAlphas&&a.enable(12),E.vertexUv1s&&a.enable(13),E.vertexUv2s&&a.enable(14),E.vertexUv3s&&a.enable(15),E.vertexTangents&&a.enable(16),E.anisotropy&&a.enable(17),E.alphaHash&&a.enable(18),E.batching&&a.enable(19),E.dispersion&&a.enable(20),E.batchingColor&&a.enable(21),E.gradientMap&&a.enable(22),b.push(a.mask),a.disableAll(),E.fog&&a.enable(0),E.useFog&&a.enable(1),E.flatShading&&a.enable(2),E.logarithmicDepthBuffer&&a.enable(3),E.reversedDepthBuffer&&a.enable(4),E.skinning&&a.enable(5),E.morphTargets&&a.enable(6),E.morphNormals&&a.enable(7),E.morphColors&&a.enable(8),E.premultipliedAlpha&&a.enable(9),E.shadowMapEnabled&&a.enable(10),E.doubleSided&&a.enable(11),E.flipSided&&a.enable(12),E.useDepthPacking&&a.enable(13),E.dithering&&a.enable(14),E.transmission&&a.enable(15),E.sheen&&a.enable(16),E.opaque&&a.enable(17),E.pointsUvs&&a.enable(18),E.decodeVideoTexture&&a.enable(19),E.decodeVideoTextureEmissive&&a.enable(20),E.alphaToCoverage&&a.enable(21),b.push(a.mask)}function S(b){const E=_[b.type];let R;if(E){const k=Ai[E];R=vg.clone(k.uniforms)}else R=b.uniforms;return R}function L(b,E){let R;for(let k=0,V=f.length;k<V;k++){const Y=f[k];if(Y.cacheKey===E){R=Y,++R.usedTimes;break}}return R===void 0&&(R=new $x(i,E,b,r),f.push(R)),R}function C(b){if(--b.usedTimes===0){const E=f.indexOf(b);f[E]=f[f.length-1],f.pop(),b.destroy()}}function U(b){c.remove(b)}function O(){c.dispose()}return{getParameters:m,getProgramCacheKey:d,getUniforms:S,acquireProgram:L,releaseProgram:C,releaseShaderCache:U,programs:f,dispose:O}}function eM(){let i=new WeakMap;function t(o){return i.has(o)}function e(o){let a=i.get(o);return a===void 0&&(a={},i.set(o,a)),a}function n(o){i.delete(o)}function s(o,a,c){i.get(o)[a]=c}function r(){i=new WeakMap}return{has:t,get:e,remove:n,update:s,dispose:r}}function nM(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.material.id!==t.material.id?i.material.id-t.material.id:i.z!==t.z?i.z-t.z:i.id-t.id}function lf(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.z!==t.z?t.z-i.z:i.id-t.id}function cf(){const i=[];let t=0;const e=[],n=[],s=[];function r(){t=0,e.length=0,n.length=0,s.length=0}function o(h,u,p,_,x,m){let d=i[t];return d===void 0?(d={id:h.id,object:h,geometry:u,material:p,groupOrder:_,renderOrder:h.renderOrder,z:x,group:m},i[t]=d):(d.id=h.id,d.object=h,d.geometry=u,d.material=p,d.groupOrder=_,d.renderOrder=h.renderOrder,d.z=x,d.group=m),t++,d}function a(h,u,p,_,x,m){const d=o(h,u,p,_,x,m);p.transmission>0?n.push(d):p.transparent===!0?s.push(d):e.push(d)}function c(h,u,p,_,x,m){const d=o(h,u,p,_,x,m);p.transmission>0?n.unshift(d):p.transparent===!0?s.unshift(d):e.unshift(d)}function l(h,u){e.length>1&&e.sort(h||nM),n.length>1&&n.sort(u||lf),s.length>1&&s.sort(u||lf)}function f(){for(let h=t,u=i.length;h<u;h++){const p=i[h];if(p.id===null)break;p.id=null,p.object=null,p.geometry=null,p.material=null,p.group=null}}return{opaque:e,transmissive:n,transparent:s,init:r,push:a,unshift:c,finish:f,sort:l}}function iM(){let i=new WeakMap;function t(n,s){const r=i.get(n);let o;return r===void 0?(o=new cf,i.set(n,[o])):s>=r.length?(o=new cf,r.push(o)):o=r[s],o}function e(){i=new WeakMap}return{get:t,dispose:e}}function sM(){const i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"DirectionalLight":e={direction:new N,color:new ne};break;case"SpotLight":e={position:new N,direction:new N,color:new ne,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":e={position:new N,color:new ne,distance:0,decay:0};break;case"HemisphereLight":e={direction:new N,skyColor:new ne,groundColor:new ne};break;case"RectAreaLight":e={color:new ne,position:new N,halfWidth:new N,halfHeight:new N};break}return i[t.id]=e,e}}}function rM(){const i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"DirectionalLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Qt};break;case"SpotLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Qt};break;case"PointLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Qt,shadowCameraNear:1,shadowCameraFar:1e3};break}return i[t.id]=e,e}}}let oM=0;function aM(i,t){return(t.castShadow?2:0)-(i.castShadow?2:0)+(t.map?1:0)-(i.map?1:0)}function lM(i){const t=new sM,e=rM(),n={version:0,hash:{directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let l=0;l<9;l++)n.probe.push(new N);const s=new N,r=new ye,o=new ye;function a(l){let f=0,h=0,u=0;for(let b=0;b<9;b++)n.probe[b].set(0,0,0);let p=0,_=0,x=0,m=0,d=0,T=0,A=0,S=0,L=0,C=0,U=0;l.sort(aM);for(let b=0,E=l.length;b<E;b++){const R=l[b],k=R.color,V=R.intensity,Y=R.distance,W=R.shadow&&R.shadow.map?R.shadow.map.texture:null;if(R.isAmbientLight)f+=k.r*V,h+=k.g*V,u+=k.b*V;else if(R.isLightProbe){for(let K=0;K<9;K++)n.probe[K].addScaledVector(R.sh.coefficients[K],V);U++}else if(R.isDirectionalLight){const K=t.get(R);if(K.color.copy(R.color).multiplyScalar(R.intensity),R.castShadow){const q=R.shadow,J=e.get(R);J.shadowIntensity=q.intensity,J.shadowBias=q.bias,J.shadowNormalBias=q.normalBias,J.shadowRadius=q.radius,J.shadowMapSize=q.mapSize,n.directionalShadow[p]=J,n.directionalShadowMap[p]=W,n.directionalShadowMatrix[p]=R.shadow.matrix,T++}n.directional[p]=K,p++}else if(R.isSpotLight){const K=t.get(R);K.position.setFromMatrixPosition(R.matrixWorld),K.color.copy(k).multiplyScalar(V),K.distance=Y,K.coneCos=Math.cos(R.angle),K.penumbraCos=Math.cos(R.angle*(1-R.penumbra)),K.decay=R.decay,n.spot[x]=K;const q=R.shadow;if(R.map&&(n.spotLightMap[L]=R.map,L++,q.updateMatrices(R),R.castShadow&&C++),n.spotLightMatrix[x]=q.matrix,R.castShadow){const J=e.get(R);J.shadowIntensity=q.intensity,J.shadowBias=q.bias,J.shadowNormalBias=q.normalBias,J.shadowRadius=q.radius,J.shadowMapSize=q.mapSize,n.spotShadow[x]=J,n.spotShadowMap[x]=W,S++}x++}else if(R.isRectAreaLight){const K=t.get(R);K.color.copy(k).multiplyScalar(V),K.halfWidth.set(R.width*.5,0,0),K.halfHeight.set(0,R.height*.5,0),n.rectArea[m]=K,m++}else if(R.isPointLight){const K=t.get(R);if(K.color.copy(R.color).multiplyScalar(R.intensity),K.distance=R.distance,K.decay=R.decay,R.castShadow){const q=R.shadow,J=e.get(R);J.shadowIntensity=q.intensity,J.shadowBias=q.bias,J.shadowNormalBias=q.normalBias,J.shadowRadius=q.radius,J.shadowMapSize=q.mapSize,J.shadowCameraNear=q.camera.near,J.shadowCameraFar=q.camera.far,n.pointShadow[_]=J,n.pointShadowMap[_]=W,n.pointShadowMatrix[_]=R.shadow.matrix,A++}n.point[_]=K,_++}else if(R.isHemisphereLight){const K=t.get(R);K.skyColor.copy(R.color).multiplyScalar(V),K.groundColor.copy(R.groundColor).multiplyScalar(V),n.hemi[d]=K,d++}}m>0&&(i.has("OES_texture_float_linear")===!0?(n.rectAreaLTC1=yt.LTC_FLOAT_1,n.rectAreaLTC2=yt.LTC_FLOAT_2):(n.rectAreaLTC1=yt.LTC_HALF_1,n.rectAreaLTC2=yt.LTC_HALF_2)),n.ambient[0]=f,n.ambient[1]=h,n.ambient[2]=u;const O=n.hash;(O.directionalLength!==p||O.pointLength!==_||O.spotLength!==x||O.rectAreaLength!==m||O.hemiLength!==d||O.numDirectionalShadows!==T||O.numPointShadows!==A||O.numSpotShadows!==S||O.numSpotMaps!==L||O.numLightProbes!==U)&&(n.directional.length=p,n.spot.length=x,n.rectArea.length=m,n.point.length=_,n.hemi.length=d,n.directionalShadow.length=T,n.directionalShadowMap.length=T,n.pointShadow.length=A,n.pointShadowMap.length=A,n.spotShadow.length=S,n.spotShadowMap.length=S,n.directionalShadowMatrix.length=T,n.pointShadowMatrix.length=A,n.spotLightMatrix.length=S+L-C,n.spotLightMap.length=L,n.numSpotLightShadowsWithMaps=C,n.numLightProbes=U,O.directionalLength=p,O.pointLength=_,O.spotLength=x,O.rectAreaLength=m,O.hemiLength=d,O.numDirectionalShadows=T,O.numPointShadows=A,O.numSpotShadows=S,O.numSpotMaps=L,O.numLightProbes=U,n.version=oM++)}function c(l,f){let h=0,u=0,p=0,_=0,x=0;const m=f.matrixWorldInverse;for(let d=0,T=l.length;d<T;d++){const A=l[d];if(A.isDirectionalLight){const S=n.directional[h];S.direction.setFromMatrixPosition(A.matrixWorld),s.setFromMatrixPosition(A.target.matrixWorld),S.direction.sub(s),S.direction.transformDirection(m),h++}else if(A.isSpotLight){const S=n.spot[p];S.position.setFromMatrixPosition(A.matrixWorld),S.position.applyMatrix4(m),S.direction.setFromMatrixPosition(A.matrixWorld),s.setFromMatrixPosition(A.target.matrixWorld),S.direction.sub(s),S.direction.transformDirection(m),p++}else if(A.isRectAreaLight){const S=n.rectArea[_];S.position.setFromMatrixPosition(A.matrixWorld),S.position.applyMatrix4(m),o.identity(),r.copy(A.matrixWorld),r.premultiply(m),o.extractRotation(r),S.halfWidth.set(A.width*.5,0,0),S.halfHeight.set(0,A.height*.5,0),S.halfWidth.applyMatrix4(o),S.halfHeight.applyMatrix4(o),_++}else if(A.isPointLight){const S=n.point[u];S.position.setFromMatrixPosition(A.matrixWorld),S.position.applyMatrix4(m),u++}else if(A.isHemisphereLight){const S=n.hemi[x];S.direction.setFromMatrixPosition(A.matrixWorld),S.direction.transformDirection(m),x++}}}return{setup:a,setupView:c,state:n}}function hf(i){const t=new lM(i),e=[],n=[];function s(f){l.camera=f,e.length=0,n.length=0}function r(f){e.push(f)}function o(f){n.push(f)}function a(){t.setup(e)}function c(f){t.setupView(e,f)}const l={lightsArray:e,shadowsArray:n,camera:null,lights:t,transmissionRenderTarget:{}};return{init:s,state:l,setupLights:a,setupLightsView:c,pushLight:r,pushShadow:o}}function cM(i){let t=new WeakMap;function e(s,r=0){const o=t.get(s);let a;return o===void 0?(a=new hf(i),t.set(s,[a])):r>=o.length?(a=new hf(i),o.push(a)):a=o[r],a}function n(){t=new WeakMap}return{get:e,dispose:n}}const hM=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,uM=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
#include <packing>
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = unpackRGBATo2Half( texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ) );
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = unpackRGBAToDepth( texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ) );
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( squared_mean - mean * mean );
	gl_FragColor = pack2HalfToRGBA( vec2( mean, std_dev ) );
}`;function fM(i,t,e){let n=new mh;const s=new Qt,r=new Qt,o=new Xe,a=new Ug({depthPacking:Hm}),c=new Ig,l={},f=e.maxTextureSize,h={[ds]:Bn,[Bn]:ds,[ii]:ii},u=new ps({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new Qt},radius:{value:4}},vertexShader:hM,fragmentShader:uM}),p=u.clone();p.defines.HORIZONTAL_PASS=1;const _=new Dn;_.setAttribute("position",new un(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));const x=new _n(_,u),m=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=md;let d=this.type;this.render=function(C,U,O){if(m.enabled===!1||m.autoUpdate===!1&&m.needsUpdate===!1||C.length===0)return;const b=i.getRenderTarget(),E=i.getActiveCubeFace(),R=i.getActiveMipmapLevel(),k=i.state;k.setBlending(cs),k.buffers.depth.getReversed()===!0?k.buffers.color.setClear(0,0,0,0):k.buffers.color.setClear(1,1,1,1),k.buffers.depth.setTest(!0),k.setScissorTest(!1);const V=d!==Hi&&this.type===Hi,Y=d===Hi&&this.type!==Hi;for(let W=0,K=C.length;W<K;W++){const q=C[W],J=q.shadow;if(J===void 0){console.warn("THREE.WebGLShadowMap:",q,"has no shadow.");continue}if(J.autoUpdate===!1&&J.needsUpdate===!1)continue;s.copy(J.mapSize);const ot=J.getFrameExtents();if(s.multiply(ot),r.copy(J.mapSize),(s.x>f||s.y>f)&&(s.x>f&&(r.x=Math.floor(f/ot.x),s.x=r.x*ot.x,J.mapSize.x=r.x),s.y>f&&(r.y=Math.floor(f/ot.y),s.y=r.y*ot.y,J.mapSize.y=r.y)),J.map===null||V===!0||Y===!0){const _t=this.type!==Hi?{minFilter:Kn,magFilter:Kn}:{};J.map!==null&&J.map.dispose(),J.map=new zs(s.x,s.y,_t),J.map.texture.name=q.name+".shadowMap",J.camera.updateProjectionMatrix()}i.setRenderTarget(J.map),i.clear();const at=J.getViewportCount();for(let _t=0;_t<at;_t++){const Mt=J.getViewport(_t);o.set(r.x*Mt.x,r.y*Mt.y,r.x*Mt.z,r.y*Mt.w),k.viewport(o),J.updateMatrices(q,_t),n=J.getFrustum(),S(U,O,J.camera,q,this.type)}J.isPointLightShadow!==!0&&this.type===Hi&&T(J,O),J.needsUpdate=!1}d=this.type,m.needsUpdate=!1,i.setRenderTarget(b,E,R)};function T(C,U){const O=t.update(x);u.defines.VSM_SAMPLES!==C.blurSamples&&(u.defines.VSM_SAMPLES=C.blurSamples,p.defines.VSM_SAMPLES=C.blurSamples,u.needsUpdate=!0,p.needsUpdate=!0),C.mapPass===null&&(C.mapPass=new zs(s.x,s.y)),u.uniforms.shadow_pass.value=C.map.texture,u.uniforms.resolution.value=C.mapSize,u.uniforms.radius.value=C.radius,i.setRenderTarget(C.mapPass),i.clear(),i.renderBufferDirect(U,null,O,u,x,null),p.uniforms.shadow_pass.value=C.mapPass.texture,p.uniforms.resolution.value=C.mapSize,p.uniforms.radius.value=C.radius,i.setRenderTarget(C.map),i.clear(),i.renderBufferDirect(U,null,O,p,x,null)}function A(C,U,O,b){let E=null;const R=O.isPointLight===!0?C.customDistanceMaterial:C.customDepthMaterial;if(R!==void 0)E=R;else if(E=O.isPointLight===!0?c:a,i.localClippingEnabled&&U.clipShadows===!0&&Array.isArray(U.clippingPlanes)&&U.clippingPlanes.length!==0||U.displacementMap&&U.displacementScale!==0||U.alphaMap&&U.alphaTest>0||U.map&&U.alphaTest>0||U.alphaToCoverage===!0){const k=E.uuid,V=U.uuid;let Y=l[k];Y===void 0&&(Y={},l[k]=Y);let W=Y[V];W===void 0&&(W=E.clone(),Y[V]=W,U.addEventListener("dispose",L)),E=W}if(E.visible=U.visible,E.wireframe=U.wireframe,b===Hi?E.side=U.shadowSide!==null?U.shadowSide:U.side:E.side=U.shadowSide!==null?U.shadowSide:h[U.side],E.alphaMap=U.alphaMap,E.alphaTest=U.alphaToCoverage===!0?.5:U.alphaTest,E.map=U.map,E.clipShadows=U.clipShadows,E.clippingPlanes=U.clippingPlanes,E.clipIntersection=U.clipIntersection,E.displacementMap=U.displacementMap,E.displacementScale=U.displacementScale,E.displacementBias=U.displacementBias,E.wireframeLinewidth=U.wireframeLinewidth,E.linewidth=U.linewidth,O.isPointLight===!0&&E.isMeshDistanceMaterial===!0){const k=i.properties.get(E);k.light=O}return E}function S(C,U,O,b,E){if(C.visible===!1)return;if(C.layers.test(U.layers)&&(C.isMesh||C.isLine||C.isPoints)&&(C.castShadow||C.receiveShadow&&E===Hi)&&(!C.frustumCulled||n.intersectsObject(C))){C.modelViewMatrix.multiplyMatrices(O.matrixWorldInverse,C.matrixWorld);const V=t.update(C),Y=C.material;if(Array.isArray(Y)){const W=V.groups;for(let K=0,q=W.length;K<q;K++){const J=W[K],ot=Y[J.materialIndex];if(ot&&ot.visible){const at=A(C,ot,b,E);C.onBeforeShadow(i,C,U,O,V,at,J),i.renderBufferDirect(O,null,V,at,C,J),C.onAfterShadow(i,C,U,O,V,at,J)}}}else if(Y.visible){const W=A(C,Y,b,E);C.onBeforeShadow(i,C,U,O,V,W,null),i.renderBufferDirect(O,null,V,W,C,null),C.onAfterShadow(i,C,U,O,V,W,null)}}const k=C.children;for(let V=0,Y=k.length;V<Y;V++)S(k[V],U,O,b,E)}function L(C){C.target.removeEventListener("dispose",L);for(const O in l){const b=l[O],E=C.target.uuid;E in b&&(b[E].dispose(),delete b[E])}}}const dM={[ec]:nc,[ic]:oc,[sc]:ac,[Tr]:rc,[nc]:ec,[oc]:ic,[ac]:sc,[rc]:Tr};function pM(i,t){function e(){let B=!1;const ut=new Xe;let dt=null;const Ct=new Xe(0,0,0,0);return{setMask:function(ct){dt!==ct&&!B&&(i.colorMask(ct,ct,ct,ct),dt=ct)},setLocked:function(ct){B=ct},setClear:function(ct,st,Nt,Zt,Te){Te===!0&&(ct*=Zt,st*=Zt,Nt*=Zt),ut.set(ct,st,Nt,Zt),Ct.equals(ut)===!1&&(i.clearColor(ct,st,Nt,Zt),Ct.copy(ut))},reset:function(){B=!1,dt=null,Ct.set(-1,0,0,0)}}}function n(){let B=!1,ut=!1,dt=null,Ct=null,ct=null;return{setReversed:function(st){if(ut!==st){const Nt=t.get("EXT_clip_control");st?Nt.clipControlEXT(Nt.LOWER_LEFT_EXT,Nt.ZERO_TO_ONE_EXT):Nt.clipControlEXT(Nt.LOWER_LEFT_EXT,Nt.NEGATIVE_ONE_TO_ONE_EXT),ut=st;const Zt=ct;ct=null,this.setClear(Zt)}},getReversed:function(){return ut},setTest:function(st){st?et(i.DEPTH_TEST):Et(i.DEPTH_TEST)},setMask:function(st){dt!==st&&!B&&(i.depthMask(st),dt=st)},setFunc:function(st){if(ut&&(st=dM[st]),Ct!==st){switch(st){case ec:i.depthFunc(i.NEVER);break;case nc:i.depthFunc(i.ALWAYS);break;case ic:i.depthFunc(i.LESS);break;case Tr:i.depthFunc(i.LEQUAL);break;case sc:i.depthFunc(i.EQUAL);break;case rc:i.depthFunc(i.GEQUAL);break;case oc:i.depthFunc(i.GREATER);break;case ac:i.depthFunc(i.NOTEQUAL);break;default:i.depthFunc(i.LEQUAL)}Ct=st}},setLocked:function(st){B=st},setClear:function(st){ct!==st&&(ut&&(st=1-st),i.clearDepth(st),ct=st)},reset:function(){B=!1,dt=null,Ct=null,ct=null,ut=!1}}}function s(){let B=!1,ut=null,dt=null,Ct=null,ct=null,st=null,Nt=null,Zt=null,Te=null;return{setTest:function(fe){B||(fe?et(i.STENCIL_TEST):Et(i.STENCIL_TEST))},setMask:function(fe){ut!==fe&&!B&&(i.stencilMask(fe),ut=fe)},setFunc:function(fe,dn,Pe){(dt!==fe||Ct!==dn||ct!==Pe)&&(i.stencilFunc(fe,dn,Pe),dt=fe,Ct=dn,ct=Pe)},setOp:function(fe,dn,Pe){(st!==fe||Nt!==dn||Zt!==Pe)&&(i.stencilOp(fe,dn,Pe),st=fe,Nt=dn,Zt=Pe)},setLocked:function(fe){B=fe},setClear:function(fe){Te!==fe&&(i.clearStencil(fe),Te=fe)},reset:function(){B=!1,ut=null,dt=null,Ct=null,ct=null,st=null,Nt=null,Zt=null,Te=null}}}const r=new e,o=new n,a=new s,c=new WeakMap,l=new WeakMap;let f={},h={},u=new WeakMap,p=[],_=null,x=!1,m=null,d=null,T=null,A=null,S=null,L=null,C=null,U=new ne(0,0,0),O=0,b=!1,E=null,R=null,k=null,V=null,Y=null;const W=i.getParameter(i.MAX_COMBINED_TEXTURE_IMAGE_UNITS);let K=!1,q=0;const J=i.getParameter(i.VERSION);J.indexOf("WebGL")!==-1?(q=parseFloat(/^WebGL (\d)/.exec(J)[1]),K=q>=1):J.indexOf("OpenGL ES")!==-1&&(q=parseFloat(/^OpenGL ES (\d)/.exec(J)[1]),K=q>=2);let ot=null,at={};const _t=i.getParameter(i.SCISSOR_BOX),Mt=i.getParameter(i.VIEWPORT),gt=new Xe().fromArray(_t),te=new Xe().fromArray(Mt);function jt(B,ut,dt,Ct){const ct=new Uint8Array(4),st=i.createTexture();i.bindTexture(B,st),i.texParameteri(B,i.TEXTURE_MIN_FILTER,i.NEAREST),i.texParameteri(B,i.TEXTURE_MAG_FILTER,i.NEAREST);for(let Nt=0;Nt<dt;Nt++)B===i.TEXTURE_3D||B===i.TEXTURE_2D_ARRAY?i.texImage3D(ut,0,i.RGBA,1,1,Ct,0,i.RGBA,i.UNSIGNED_BYTE,ct):i.texImage2D(ut+Nt,0,i.RGBA,1,1,0,i.RGBA,i.UNSIGNED_BYTE,ct);return st}const Q={};Q[i.TEXTURE_2D]=jt(i.TEXTURE_2D,i.TEXTURE_2D,1),Q[i.TEXTURE_CUBE_MAP]=jt(i.TEXTURE_CUBE_MAP,i.TEXTURE_CUBE_MAP_POSITIVE_X,6),Q[i.TEXTURE_2D_ARRAY]=jt(i.TEXTURE_2D_ARRAY,i.TEXTURE_2D_ARRAY,1,1),Q[i.TEXTURE_3D]=jt(i.TEXTURE_3D,i.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),et(i.DEPTH_TEST),o.setFunc(Tr),Vt(!1),Ut(nu),et(i.CULL_FACE),ue(cs);function et(B){f[B]!==!0&&(i.enable(B),f[B]=!0)}function Et(B){f[B]!==!1&&(i.disable(B),f[B]=!1)}function Bt(B,ut){return h[B]!==ut?(i.bindFramebuffer(B,ut),h[B]=ut,B===i.DRAW_FRAMEBUFFER&&(h[i.FRAMEBUFFER]=ut),B===i.FRAMEBUFFER&&(h[i.DRAW_FRAMEBUFFER]=ut),!0):!1}function vt(B,ut){let dt=p,Ct=!1;if(B){dt=u.get(ut),dt===void 0&&(dt=[],u.set(ut,dt));const ct=B.textures;if(dt.length!==ct.length||dt[0]!==i.COLOR_ATTACHMENT0){for(let st=0,Nt=ct.length;st<Nt;st++)dt[st]=i.COLOR_ATTACHMENT0+st;dt.length=ct.length,Ct=!0}}else dt[0]!==i.BACK&&(dt[0]=i.BACK,Ct=!0);Ct&&i.drawBuffers(dt)}function $t(B){return _!==B?(i.useProgram(B),_=B,!0):!1}const Ue={[Ds]:i.FUNC_ADD,[dm]:i.FUNC_SUBTRACT,[pm]:i.FUNC_REVERSE_SUBTRACT};Ue[mm]=i.MIN,Ue[gm]=i.MAX;const I={[_m]:i.ZERO,[vm]:i.ONE,[xm]:i.SRC_COLOR,[Ql]:i.SRC_ALPHA,[Tm]:i.SRC_ALPHA_SATURATE,[Em]:i.DST_COLOR,[Sm]:i.DST_ALPHA,[Mm]:i.ONE_MINUS_SRC_COLOR,[tc]:i.ONE_MINUS_SRC_ALPHA,[bm]:i.ONE_MINUS_DST_COLOR,[ym]:i.ONE_MINUS_DST_ALPHA,[wm]:i.CONSTANT_COLOR,[Am]:i.ONE_MINUS_CONSTANT_COLOR,[Rm]:i.CONSTANT_ALPHA,[Cm]:i.ONE_MINUS_CONSTANT_ALPHA};function ue(B,ut,dt,Ct,ct,st,Nt,Zt,Te,fe){if(B===cs){x===!0&&(Et(i.BLEND),x=!1);return}if(x===!1&&(et(i.BLEND),x=!0),B!==fm){if(B!==m||fe!==b){if((d!==Ds||S!==Ds)&&(i.blendEquation(i.FUNC_ADD),d=Ds,S=Ds),fe)switch(B){case Sr:i.blendFuncSeparate(i.ONE,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case iu:i.blendFunc(i.ONE,i.ONE);break;case su:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case ru:i.blendFuncSeparate(i.DST_COLOR,i.ONE_MINUS_SRC_ALPHA,i.ZERO,i.ONE);break;default:console.error("THREE.WebGLState: Invalid blending: ",B);break}else switch(B){case Sr:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case iu:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE,i.ONE,i.ONE);break;case su:console.error("THREE.WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case ru:console.error("THREE.WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:console.error("THREE.WebGLState: Invalid blending: ",B);break}T=null,A=null,L=null,C=null,U.set(0,0,0),O=0,m=B,b=fe}return}ct=ct||ut,st=st||dt,Nt=Nt||Ct,(ut!==d||ct!==S)&&(i.blendEquationSeparate(Ue[ut],Ue[ct]),d=ut,S=ct),(dt!==T||Ct!==A||st!==L||Nt!==C)&&(i.blendFuncSeparate(I[dt],I[Ct],I[st],I[Nt]),T=dt,A=Ct,L=st,C=Nt),(Zt.equals(U)===!1||Te!==O)&&(i.blendColor(Zt.r,Zt.g,Zt.b,Te),U.copy(Zt),O=Te),m=B,b=!1}function Yt(B,ut){B.side===ii?Et(i.CULL_FACE):et(i.CULL_FACE);let dt=B.side===Bn;ut&&(dt=!dt),Vt(dt),B.blending===Sr&&B.transparent===!1?ue(cs):ue(B.blending,B.blendEquation,B.blendSrc,B.blendDst,B.blendEquationAlpha,B.blendSrcAlpha,B.blendDstAlpha,B.blendColor,B.blendAlpha,B.premultipliedAlpha),o.setFunc(B.depthFunc),o.setTest(B.depthTest),o.setMask(B.depthWrite),r.setMask(B.colorWrite);const Ct=B.stencilWrite;a.setTest(Ct),Ct&&(a.setMask(B.stencilWriteMask),a.setFunc(B.stencilFunc,B.stencilRef,B.stencilFuncMask),a.setOp(B.stencilFail,B.stencilZFail,B.stencilZPass)),Rt(B.polygonOffset,B.polygonOffsetFactor,B.polygonOffsetUnits),B.alphaToCoverage===!0?et(i.SAMPLE_ALPHA_TO_COVERAGE):Et(i.SAMPLE_ALPHA_TO_COVERAGE)}function Vt(B){E!==B&&(B?i.frontFace(i.CW):i.frontFace(i.CCW),E=B)}function Ut(B){B!==hm?(et(i.CULL_FACE),B!==R&&(B===nu?i.cullFace(i.BACK):B===um?i.cullFace(i.FRONT):i.cullFace(i.FRONT_AND_BACK))):Et(i.CULL_FACE),R=B}function Ee(B){B!==k&&(K&&i.lineWidth(B),k=B)}function Rt(B,ut,dt){B?(et(i.POLYGON_OFFSET_FILL),(V!==ut||Y!==dt)&&(i.polygonOffset(ut,dt),V=ut,Y=dt)):Et(i.POLYGON_OFFSET_FILL)}function Ht(B){B?et(i.SCISSOR_TEST):Et(i.SCISSOR_TEST)}function Oe(B){B===void 0&&(B=i.TEXTURE0+W-1),ot!==B&&(i.activeTexture(B),ot=B)}function _e(B,ut,dt){dt===void 0&&(ot===null?dt=i.TEXTURE0+W-1:dt=ot);let Ct=at[dt];Ct===void 0&&(Ct={type:void 0,texture:void 0},at[dt]=Ct),(Ct.type!==B||Ct.texture!==ut)&&(ot!==dt&&(i.activeTexture(dt),ot=dt),i.bindTexture(B,ut||Q[B]),Ct.type=B,Ct.texture=ut)}function P(){const B=at[ot];B!==void 0&&B.type!==void 0&&(i.bindTexture(B.type,null),B.type=void 0,B.texture=void 0)}function v(){try{i.compressedTexImage2D(...arguments)}catch(B){console.error("THREE.WebGLState:",B)}}function F(){try{i.compressedTexImage3D(...arguments)}catch(B){console.error("THREE.WebGLState:",B)}}function $(){try{i.texSubImage2D(...arguments)}catch(B){console.error("THREE.WebGLState:",B)}}function nt(){try{i.texSubImage3D(...arguments)}catch(B){console.error("THREE.WebGLState:",B)}}function tt(){try{i.compressedTexSubImage2D(...arguments)}catch(B){console.error("THREE.WebGLState:",B)}}function It(){try{i.compressedTexSubImage3D(...arguments)}catch(B){console.error("THREE.WebGLState:",B)}}function ht(){try{i.texStorage2D(...arguments)}catch(B){console.error("THREE.WebGLState:",B)}}function Pt(){try{i.texStorage3D(...arguments)}catch(B){console.error("THREE.WebGLState:",B)}}function wt(){try{i.texImage2D(...arguments)}catch(B){console.error("THREE.WebGLState:",B)}}function rt(){try{i.texImage3D(...arguments)}catch(B){console.error("THREE.WebGLState:",B)}}function mt(B){gt.equals(B)===!1&&(i.scissor(B.x,B.y,B.z,B.w),gt.copy(B))}function Ot(B){te.equals(B)===!1&&(i.viewport(B.x,B.y,B.z,B.w),te.copy(B))}function Ft(B,ut){let dt=l.get(ut);dt===void 0&&(dt=new WeakMap,l.set(ut,dt));let Ct=dt.get(B);Ct===void 0&&(Ct=i.getUniformBlockIndex(ut,B.name),dt.set(B,Ct))}function xt(B,ut){const Ct=l.get(ut).get(B);c.get(ut)!==Ct&&(i.uniformBlockBinding(ut,Ct,B.__bindingPointIndex),c.set(ut,Ct))}function Kt(){i.disable(i.BLEND),i.disable(i.CULL_FACE),i.disable(i.DEPTH_TEST),i.disable(i.POLYGON_OFFSET_FILL),i.disable(i.SCISSOR_TEST),i.disable(i.STENCIL_TEST),i.disable(i.SAMPLE_ALPHA_TO_COVERAGE),i.blendEquation(i.FUNC_ADD),i.blendFunc(i.ONE,i.ZERO),i.blendFuncSeparate(i.ONE,i.ZERO,i.ONE,i.ZERO),i.blendColor(0,0,0,0),i.colorMask(!0,!0,!0,!0),i.clearColor(0,0,0,0),i.depthMask(!0),i.depthFunc(i.LESS),o.setReversed(!1),i.clearDepth(1),i.stencilMask(4294967295),i.stencilFunc(i.ALWAYS,0,4294967295),i.stencilOp(i.KEEP,i.KEEP,i.KEEP),i.clearStencil(0),i.cullFace(i.BACK),i.frontFace(i.CCW),i.polygonOffset(0,0),i.activeTexture(i.TEXTURE0),i.bindFramebuffer(i.FRAMEBUFFER,null),i.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),i.bindFramebuffer(i.READ_FRAMEBUFFER,null),i.useProgram(null),i.lineWidth(1),i.scissor(0,0,i.canvas.width,i.canvas.height),i.viewport(0,0,i.canvas.width,i.canvas.height),f={},ot=null,at={},h={},u=new WeakMap,p=[],_=null,x=!1,m=null,d=null,T=null,A=null,S=null,L=null,C=null,U=new ne(0,0,0),O=0,b=!1,E=null,R=null,k=null,V=null,Y=null,gt.set(0,0,i.canvas.width,i.canvas.height),te.set(0,0,i.canvas.width,i.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:et,disable:Et,bindFramebuffer:Bt,drawBuffers:vt,useProgram:$t,setBlending:ue,setMaterial:Yt,setFlipSided:Vt,setCullFace:Ut,setLineWidth:Ee,setPolygonOffset:Rt,setScissorTest:Ht,activeTexture:Oe,bindTexture:_e,unbindTexture:P,compressedTexImage2D:v,compressedTexImage3D:F,texImage2D:wt,texImage3D:rt,updateUBOMapping:Ft,uniformBlockBinding:xt,texStorage2D:ht,texStorage3D:Pt,texSubImage2D:$,texSubImage3D:nt,compressedTexSubImage2D:tt,compressedTexSubImage3D:It,scissor:mt,viewport:Ot,reset:Kt}}function mM(i,t,e,n,s,r,o){const a=t.has("WEBGL_multisampled_render_to_texture")?t.get("WEBGL_multisampled_render_to_texture"):null,c=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),l=new Qt,f=new WeakMap;let h;const u=new WeakMap;let p=!1;try{p=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function _(P,v){return p?new OffscreenCanvas(P,v):ba("canvas")}function x(P,v,F){let $=1;const nt=_e(P);if((nt.width>F||nt.height>F)&&($=F/Math.max(nt.width,nt.height)),$<1)if(typeof HTMLImageElement<"u"&&P instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&P instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&P instanceof ImageBitmap||typeof VideoFrame<"u"&&P instanceof VideoFrame){const tt=Math.floor($*nt.width),It=Math.floor($*nt.height);h===void 0&&(h=_(tt,It));const ht=v?_(tt,It):h;return ht.width=tt,ht.height=It,ht.getContext("2d").drawImage(P,0,0,tt,It),console.warn("THREE.WebGLRenderer: Texture has been resized from ("+nt.width+"x"+nt.height+") to ("+tt+"x"+It+")."),ht}else return"data"in P&&console.warn("THREE.WebGLRenderer: Image in DataTexture is too big ("+nt.width+"x"+nt.height+")."),P;return P}function m(P){return P.generateMipmaps}function d(P){i.generateMipmap(P)}function T(P){return P.isWebGLCubeRenderTarget?i.TEXTURE_CUBE_MAP:P.isWebGL3DRenderTarget?i.TEXTURE_3D:P.isWebGLArrayRenderTarget||P.isCompressedArrayTexture?i.TEXTURE_2D_ARRAY:i.TEXTURE_2D}function A(P,v,F,$,nt=!1){if(P!==null){if(i[P]!==void 0)return i[P];console.warn("THREE.WebGLRenderer: Attempt to use non-existing WebGL internal format '"+P+"'")}let tt=v;if(v===i.RED&&(F===i.FLOAT&&(tt=i.R32F),F===i.HALF_FLOAT&&(tt=i.R16F),F===i.UNSIGNED_BYTE&&(tt=i.R8)),v===i.RED_INTEGER&&(F===i.UNSIGNED_BYTE&&(tt=i.R8UI),F===i.UNSIGNED_SHORT&&(tt=i.R16UI),F===i.UNSIGNED_INT&&(tt=i.R32UI),F===i.BYTE&&(tt=i.R8I),F===i.SHORT&&(tt=i.R16I),F===i.INT&&(tt=i.R32I)),v===i.RG&&(F===i.FLOAT&&(tt=i.RG32F),F===i.HALF_FLOAT&&(tt=i.RG16F),F===i.UNSIGNED_BYTE&&(tt=i.RG8)),v===i.RG_INTEGER&&(F===i.UNSIGNED_BYTE&&(tt=i.RG8UI),F===i.UNSIGNED_SHORT&&(tt=i.RG16UI),F===i.UNSIGNED_INT&&(tt=i.RG32UI),F===i.BYTE&&(tt=i.RG8I),F===i.SHORT&&(tt=i.RG16I),F===i.INT&&(tt=i.RG32I)),v===i.RGB_INTEGER&&(F===i.UNSIGNED_BYTE&&(tt=i.RGB8UI),F===i.UNSIGNED_SHORT&&(tt=i.RGB16UI),F===i.UNSIGNED_INT&&(tt=i.RGB32UI),F===i.BYTE&&(tt=i.RGB8I),F===i.SHORT&&(tt=i.RGB16I),F===i.INT&&(tt=i.RGB32I)),v===i.RGBA_INTEGER&&(F===i.UNSIGNED_BYTE&&(tt=i.RGBA8UI),F===i.UNSIGNED_SHORT&&(tt=i.RGBA16UI),F===i.UNSIGNED_INT&&(tt=i.RGBA32UI),F===i.BYTE&&(tt=i.RGBA8I),F===i.SHORT&&(tt=i.RGBA16I),F===i.INT&&(tt=i.RGBA32I)),v===i.RGB&&(F===i.UNSIGNED_INT_5_9_9_9_REV&&(tt=i.RGB9_E5),F===i.UNSIGNED_INT_10F_11F_11F_REV&&(tt=i.R11F_G11F_B10F)),v===i.RGBA){const It=nt?ya:me.getTransfer($);F===i.FLOAT&&(tt=i.RGBA32F),F===i.HALF_FLOAT&&(tt=i.RGBA16F),F===i.UNSIGNED_BYTE&&(tt=It===Ae?i.SRGB8_ALPHA8:i.RGBA8),F===i.UNSIGNED_SHORT_4_4_4_4&&(tt=i.RGBA4),F===i.UNSIGNED_SHORT_5_5_5_1&&(tt=i.RGB5_A1)}return(tt===i.R16F||tt===i.R32F||tt===i.RG16F||tt===i.RG32F||tt===i.RGBA16F||tt===i.RGBA32F)&&t.get("EXT_color_buffer_float"),tt}function S(P,v){let F;return P?v===null||v===Bs||v===xo?F=i.DEPTH24_STENCIL8:v===Ri?F=i.DEPTH32F_STENCIL8:v===vo&&(F=i.DEPTH24_STENCIL8,console.warn("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):v===null||v===Bs||v===xo?F=i.DEPTH_COMPONENT24:v===Ri?F=i.DEPTH_COMPONENT32F:v===vo&&(F=i.DEPTH_COMPONENT16),F}function L(P,v){return m(P)===!0||P.isFramebufferTexture&&P.minFilter!==Kn&&P.minFilter!==_i?Math.log2(Math.max(v.width,v.height))+1:P.mipmaps!==void 0&&P.mipmaps.length>0?P.mipmaps.length:P.isCompressedTexture&&Array.isArray(P.image)?v.mipmaps.length:1}function C(P){const v=P.target;v.removeEventListener("dispose",C),O(v),v.isVideoTexture&&f.delete(v)}function U(P){const v=P.target;v.removeEventListener("dispose",U),E(v)}function O(P){const v=n.get(P);if(v.__webglInit===void 0)return;const F=P.source,$=u.get(F);if($){const nt=$[v.__cacheKey];nt.usedTimes--,nt.usedTimes===0&&b(P),Object.keys($).length===0&&u.delete(F)}n.remove(P)}function b(P){const v=n.get(P);i.deleteTexture(v.__webglTexture);const F=P.source,$=u.get(F);delete $[v.__cacheKey],o.memory.textures--}function E(P){const v=n.get(P);if(P.depthTexture&&(P.depthTexture.dispose(),n.remove(P.depthTexture)),P.isWebGLCubeRenderTarget)for(let $=0;$<6;$++){if(Array.isArray(v.__webglFramebuffer[$]))for(let nt=0;nt<v.__webglFramebuffer[$].length;nt++)i.deleteFramebuffer(v.__webglFramebuffer[$][nt]);else i.deleteFramebuffer(v.__webglFramebuffer[$]);v.__webglDepthbuffer&&i.deleteRenderbuffer(v.__webglDepthbuffer[$])}else{if(Array.isArray(v.__webglFramebuffer))for(let $=0;$<v.__webglFramebuffer.length;$++)i.deleteFramebuffer(v.__webglFramebuffer[$]);else i.deleteFramebuffer(v.__webglFramebuffer);if(v.__webglDepthbuffer&&i.deleteRenderbuffer(v.__webglDepthbuffer),v.__webglMultisampledFramebuffer&&i.deleteFramebuffer(v.__webglMultisampledFramebuffer),v.__webglColorRenderbuffer)for(let $=0;$<v.__webglColorRenderbuffer.length;$++)v.__webglColorRenderbuffer[$]&&i.deleteRenderbuffer(v.__webglColorRenderbuffer[$]);v.__webglDepthRenderbuffer&&i.deleteRenderbuffer(v.__webglDepthRenderbuffer)}const F=P.textures;for(let $=0,nt=F.length;$<nt;$++){const tt=n.get(F[$]);tt.__webglTexture&&(i.deleteTexture(tt.__webglTexture),o.memory.textures--),n.remove(F[$])}n.remove(P)}let R=0;function k(){R=0}function V(){const P=R;return P>=s.maxTextures&&console.warn("THREE.WebGLTextures: Trying to use "+P+" texture units while this GPU supports only "+s.maxTextures),R+=1,P}function Y(P){const v=[];return v.push(P.wrapS),v.push(P.wrapT),v.push(P.wrapR||0),v.push(P.magFilter),v.push(P.minFilter),v.push(P.anisotropy),v.push(P.internalFormat),v.push(P.format),v.push(P.type),v.push(P.generateMipmaps),v.push(P.premultiplyAlpha),v.push(P.flipY),v.push(P.unpackAlignment),v.push(P.colorSpace),v.join()}function W(P,v){const F=n.get(P);if(P.isVideoTexture&&Ht(P),P.isRenderTargetTexture===!1&&P.isExternalTexture!==!0&&P.version>0&&F.__version!==P.version){const $=P.image;if($===null)console.warn("THREE.WebGLRenderer: Texture marked for update but no image data found.");else if($.complete===!1)console.warn("THREE.WebGLRenderer: Texture marked for update but image is incomplete");else{Q(F,P,v);return}}else P.isExternalTexture&&(F.__webglTexture=P.sourceTexture?P.sourceTexture:null);e.bindTexture(i.TEXTURE_2D,F.__webglTexture,i.TEXTURE0+v)}function K(P,v){const F=n.get(P);if(P.isRenderTargetTexture===!1&&P.version>0&&F.__version!==P.version){Q(F,P,v);return}e.bindTexture(i.TEXTURE_2D_ARRAY,F.__webglTexture,i.TEXTURE0+v)}function q(P,v){const F=n.get(P);if(P.isRenderTargetTexture===!1&&P.version>0&&F.__version!==P.version){Q(F,P,v);return}e.bindTexture(i.TEXTURE_3D,F.__webglTexture,i.TEXTURE0+v)}function J(P,v){const F=n.get(P);if(P.version>0&&F.__version!==P.version){et(F,P,v);return}e.bindTexture(i.TEXTURE_CUBE_MAP,F.__webglTexture,i.TEXTURE0+v)}const ot={[hc]:i.REPEAT,[Is]:i.CLAMP_TO_EDGE,[uc]:i.MIRRORED_REPEAT},at={[Kn]:i.NEAREST,[zm]:i.NEAREST_MIPMAP_NEAREST,[Io]:i.NEAREST_MIPMAP_LINEAR,[_i]:i.LINEAR,[al]:i.LINEAR_MIPMAP_NEAREST,[Ns]:i.LINEAR_MIPMAP_LINEAR},_t={[Gm]:i.NEVER,[jm]:i.ALWAYS,[Wm]:i.LESS,[Td]:i.LEQUAL,[Xm]:i.EQUAL,[Km]:i.GEQUAL,[Ym]:i.GREATER,[qm]:i.NOTEQUAL};function Mt(P,v){if(v.type===Ri&&t.has("OES_texture_float_linear")===!1&&(v.magFilter===_i||v.magFilter===al||v.magFilter===Io||v.magFilter===Ns||v.minFilter===_i||v.minFilter===al||v.minFilter===Io||v.minFilter===Ns)&&console.warn("THREE.WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),i.texParameteri(P,i.TEXTURE_WRAP_S,ot[v.wrapS]),i.texParameteri(P,i.TEXTURE_WRAP_T,ot[v.wrapT]),(P===i.TEXTURE_3D||P===i.TEXTURE_2D_ARRAY)&&i.texParameteri(P,i.TEXTURE_WRAP_R,ot[v.wrapR]),i.texParameteri(P,i.TEXTURE_MAG_FILTER,at[v.magFilter]),i.texParameteri(P,i.TEXTURE_MIN_FILTER,at[v.minFilter]),v.compareFunction&&(i.texParameteri(P,i.TEXTURE_COMPARE_MODE,i.COMPARE_REF_TO_TEXTURE),i.texParameteri(P,i.TEXTURE_COMPARE_FUNC,_t[v.compareFunction])),t.has("EXT_texture_filter_anisotropic")===!0){if(v.magFilter===Kn||v.minFilter!==Io&&v.minFilter!==Ns||v.type===Ri&&t.has("OES_texture_float_linear")===!1)return;if(v.anisotropy>1||n.get(v).__currentAnisotropy){const F=t.get("EXT_texture_filter_anisotropic");i.texParameterf(P,F.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(v.anisotropy,s.getMaxAnisotropy())),n.get(v).__currentAnisotropy=v.anisotropy}}}function gt(P,v){let F=!1;P.__webglInit===void 0&&(P.__webglInit=!0,v.addEventListener("dispose",C));const $=v.source;let nt=u.get($);nt===void 0&&(nt={},u.set($,nt));const tt=Y(v);if(tt!==P.__cacheKey){nt[tt]===void 0&&(nt[tt]={texture:i.createTexture(),usedTimes:0},o.memory.textures++,F=!0),nt[tt].usedTimes++;const It=nt[P.__cacheKey];It!==void 0&&(nt[P.__cacheKey].usedTimes--,It.usedTimes===0&&b(v)),P.__cacheKey=tt,P.__webglTexture=nt[tt].texture}return F}function te(P,v,F){return Math.floor(Math.floor(P/F)/v)}function jt(P,v,F,$){const tt=P.updateRanges;if(tt.length===0)e.texSubImage2D(i.TEXTURE_2D,0,0,0,v.width,v.height,F,$,v.data);else{tt.sort((rt,mt)=>rt.start-mt.start);let It=0;for(let rt=1;rt<tt.length;rt++){const mt=tt[It],Ot=tt[rt],Ft=mt.start+mt.count,xt=te(Ot.start,v.width,4),Kt=te(mt.start,v.width,4);Ot.start<=Ft+1&&xt===Kt&&te(Ot.start+Ot.count-1,v.width,4)===xt?mt.count=Math.max(mt.count,Ot.start+Ot.count-mt.start):(++It,tt[It]=Ot)}tt.length=It+1;const ht=i.getParameter(i.UNPACK_ROW_LENGTH),Pt=i.getParameter(i.UNPACK_SKIP_PIXELS),wt=i.getParameter(i.UNPACK_SKIP_ROWS);i.pixelStorei(i.UNPACK_ROW_LENGTH,v.width);for(let rt=0,mt=tt.length;rt<mt;rt++){const Ot=tt[rt],Ft=Math.floor(Ot.start/4),xt=Math.ceil(Ot.count/4),Kt=Ft%v.width,B=Math.floor(Ft/v.width),ut=xt,dt=1;i.pixelStorei(i.UNPACK_SKIP_PIXELS,Kt),i.pixelStorei(i.UNPACK_SKIP_ROWS,B),e.texSubImage2D(i.TEXTURE_2D,0,Kt,B,ut,dt,F,$,v.data)}P.clearUpdateRanges(),i.pixelStorei(i.UNPACK_ROW_LENGTH,ht),i.pixelStorei(i.UNPACK_SKIP_PIXELS,Pt),i.pixelStorei(i.UNPACK_SKIP_ROWS,wt)}}function Q(P,v,F){let $=i.TEXTURE_2D;(v.isDataArrayTexture||v.isCompressedArrayTexture)&&($=i.TEXTURE_2D_ARRAY),v.isData3DTexture&&($=i.TEXTURE_3D);const nt=gt(P,v),tt=v.source;e.bindTexture($,P.__webglTexture,i.TEXTURE0+F);const It=n.get(tt);if(tt.version!==It.__version||nt===!0){e.activeTexture(i.TEXTURE0+F);const ht=me.getPrimaries(me.workingColorSpace),Pt=v.colorSpace===as?null:me.getPrimaries(v.colorSpace),wt=v.colorSpace===as||ht===Pt?i.NONE:i.BROWSER_DEFAULT_WEBGL;i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,v.flipY),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,v.premultiplyAlpha),i.pixelStorei(i.UNPACK_ALIGNMENT,v.unpackAlignment),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,wt);let rt=x(v.image,!1,s.maxTextureSize);rt=Oe(v,rt);const mt=r.convert(v.format,v.colorSpace),Ot=r.convert(v.type);let Ft=A(v.internalFormat,mt,Ot,v.colorSpace,v.isVideoTexture);Mt($,v);let xt;const Kt=v.mipmaps,B=v.isVideoTexture!==!0,ut=It.__version===void 0||nt===!0,dt=tt.dataReady,Ct=L(v,rt);if(v.isDepthTexture)Ft=S(v.format===So,v.type),ut&&(B?e.texStorage2D(i.TEXTURE_2D,1,Ft,rt.width,rt.height):e.texImage2D(i.TEXTURE_2D,0,Ft,rt.width,rt.height,0,mt,Ot,null));else if(v.isDataTexture)if(Kt.length>0){B&&ut&&e.texStorage2D(i.TEXTURE_2D,Ct,Ft,Kt[0].width,Kt[0].height);for(let ct=0,st=Kt.length;ct<st;ct++)xt=Kt[ct],B?dt&&e.texSubImage2D(i.TEXTURE_2D,ct,0,0,xt.width,xt.height,mt,Ot,xt.data):e.texImage2D(i.TEXTURE_2D,ct,Ft,xt.width,xt.height,0,mt,Ot,xt.data);v.generateMipmaps=!1}else B?(ut&&e.texStorage2D(i.TEXTURE_2D,Ct,Ft,rt.width,rt.height),dt&&jt(v,rt,mt,Ot)):e.texImage2D(i.TEXTURE_2D,0,Ft,rt.width,rt.height,0,mt,Ot,rt.data);else if(v.isCompressedTexture)if(v.isCompressedArrayTexture){B&&ut&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Ct,Ft,Kt[0].width,Kt[0].height,rt.depth);for(let ct=0,st=Kt.length;ct<st;ct++)if(xt=Kt[ct],v.format!==vi)if(mt!==null)if(B){if(dt)if(v.layerUpdates.size>0){const Nt=zu(xt.width,xt.height,v.format,v.type);for(const Zt of v.layerUpdates){const Te=xt.data.subarray(Zt*Nt/xt.data.BYTES_PER_ELEMENT,(Zt+1)*Nt/xt.data.BYTES_PER_ELEMENT);e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,ct,0,0,Zt,xt.width,xt.height,1,mt,Te)}v.clearLayerUpdates()}else e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,ct,0,0,0,xt.width,xt.height,rt.depth,mt,xt.data)}else e.compressedTexImage3D(i.TEXTURE_2D_ARRAY,ct,Ft,xt.width,xt.height,rt.depth,0,xt.data,0,0);else console.warn("THREE.WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else B?dt&&e.texSubImage3D(i.TEXTURE_2D_ARRAY,ct,0,0,0,xt.width,xt.height,rt.depth,mt,Ot,xt.data):e.texImage3D(i.TEXTURE_2D_ARRAY,ct,Ft,xt.width,xt.height,rt.depth,0,mt,Ot,xt.data)}else{B&&ut&&e.texStorage2D(i.TEXTURE_2D,Ct,Ft,Kt[0].width,Kt[0].height);for(let ct=0,st=Kt.length;ct<st;ct++)xt=Kt[ct],v.format!==vi?mt!==null?B?dt&&e.compressedTexSubImage2D(i.TEXTURE_2D,ct,0,0,xt.width,xt.height,mt,xt.data):e.compressedTexImage2D(i.TEXTURE_2D,ct,Ft,xt.width,xt.height,0,xt.data):console.warn("THREE.WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):B?dt&&e.texSubImage2D(i.TEXTURE_2D,ct,0,0,xt.width,xt.height,mt,Ot,xt.data):e.texImage2D(i.TEXTURE_2D,ct,Ft,xt.width,xt.height,0,mt,Ot,xt.data)}else if(v.isDataArrayTexture)if(B){if(ut&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Ct,Ft,rt.width,rt.height,rt.depth),dt)if(v.layerUpdates.size>0){const ct=zu(rt.width,rt.height,v.format,v.type);for(const st of v.layerUpdates){const Nt=rt.data.subarray(st*ct/rt.data.BYTES_PER_ELEMENT,(st+1)*ct/rt.data.BYTES_PER_ELEMENT);e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,st,rt.width,rt.height,1,mt,Ot,Nt)}v.clearLayerUpdates()}else e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,0,rt.width,rt.height,rt.depth,mt,Ot,rt.data)}else e.texImage3D(i.TEXTURE_2D_ARRAY,0,Ft,rt.width,rt.height,rt.depth,0,mt,Ot,rt.data);else if(v.isData3DTexture)B?(ut&&e.texStorage3D(i.TEXTURE_3D,Ct,Ft,rt.width,rt.height,rt.depth),dt&&e.texSubImage3D(i.TEXTURE_3D,0,0,0,0,rt.width,rt.height,rt.depth,mt,Ot,rt.data)):e.texImage3D(i.TEXTURE_3D,0,Ft,rt.width,rt.height,rt.depth,0,mt,Ot,rt.data);else if(v.isFramebufferTexture){if(ut)if(B)e.texStorage2D(i.TEXTURE_2D,Ct,Ft,rt.width,rt.height);else{let ct=rt.width,st=rt.height;for(let Nt=0;Nt<Ct;Nt++)e.texImage2D(i.TEXTURE_2D,Nt,Ft,ct,st,0,mt,Ot,null),ct>>=1,st>>=1}}else if(Kt.length>0){if(B&&ut){const ct=_e(Kt[0]);e.texStorage2D(i.TEXTURE_2D,Ct,Ft,ct.width,ct.height)}for(let ct=0,st=Kt.length;ct<st;ct++)xt=Kt[ct],B?dt&&e.texSubImage2D(i.TEXTURE_2D,ct,0,0,mt,Ot,xt):e.texImage2D(i.TEXTURE_2D,ct,Ft,mt,Ot,xt);v.generateMipmaps=!1}else if(B){if(ut){const ct=_e(rt);e.texStorage2D(i.TEXTURE_2D,Ct,Ft,ct.width,ct.height)}dt&&e.texSubImage2D(i.TEXTURE_2D,0,0,0,mt,Ot,rt)}else e.texImage2D(i.TEXTURE_2D,0,Ft,mt,Ot,rt);m(v)&&d($),It.__version=tt.version,v.onUpdate&&v.onUpdate(v)}P.__version=v.version}function et(P,v,F){if(v.image.length!==6)return;const $=gt(P,v),nt=v.source;e.bindTexture(i.TEXTURE_CUBE_MAP,P.__webglTexture,i.TEXTURE0+F);const tt=n.get(nt);if(nt.version!==tt.__version||$===!0){e.activeTexture(i.TEXTURE0+F);const It=me.getPrimaries(me.workingColorSpace),ht=v.colorSpace===as?null:me.getPrimaries(v.colorSpace),Pt=v.colorSpace===as||It===ht?i.NONE:i.BROWSER_DEFAULT_WEBGL;i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,v.flipY),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,v.premultiplyAlpha),i.pixelStorei(i.UNPACK_ALIGNMENT,v.unpackAlignment),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,Pt);const wt=v.isCompressedTexture||v.image[0].isCompressedTexture,rt=v.image[0]&&v.image[0].isDataTexture,mt=[];for(let st=0;st<6;st++)!wt&&!rt?mt[st]=x(v.image[st],!0,s.maxCubemapSize):mt[st]=rt?v.image[st].image:v.image[st],mt[st]=Oe(v,mt[st]);const Ot=mt[0],Ft=r.convert(v.format,v.colorSpace),xt=r.convert(v.type),Kt=A(v.internalFormat,Ft,xt,v.colorSpace),B=v.isVideoTexture!==!0,ut=tt.__version===void 0||$===!0,dt=nt.dataReady;let Ct=L(v,Ot);Mt(i.TEXTURE_CUBE_MAP,v);let ct;if(wt){B&&ut&&e.texStorage2D(i.TEXTURE_CUBE_MAP,Ct,Kt,Ot.width,Ot.height);for(let st=0;st<6;st++){ct=mt[st].mipmaps;for(let Nt=0;Nt<ct.length;Nt++){const Zt=ct[Nt];v.format!==vi?Ft!==null?B?dt&&e.compressedTexSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+st,Nt,0,0,Zt.width,Zt.height,Ft,Zt.data):e.compressedTexImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+st,Nt,Kt,Zt.width,Zt.height,0,Zt.data):console.warn("THREE.WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):B?dt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+st,Nt,0,0,Zt.width,Zt.height,Ft,xt,Zt.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+st,Nt,Kt,Zt.width,Zt.height,0,Ft,xt,Zt.data)}}}else{if(ct=v.mipmaps,B&&ut){ct.length>0&&Ct++;const st=_e(mt[0]);e.texStorage2D(i.TEXTURE_CUBE_MAP,Ct,Kt,st.width,st.height)}for(let st=0;st<6;st++)if(rt){B?dt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+st,0,0,0,mt[st].width,mt[st].height,Ft,xt,mt[st].data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+st,0,Kt,mt[st].width,mt[st].height,0,Ft,xt,mt[st].data);for(let Nt=0;Nt<ct.length;Nt++){const Te=ct[Nt].image[st].image;B?dt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+st,Nt+1,0,0,Te.width,Te.height,Ft,xt,Te.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+st,Nt+1,Kt,Te.width,Te.height,0,Ft,xt,Te.data)}}else{B?dt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+st,0,0,0,Ft,xt,mt[st]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+st,0,Kt,Ft,xt,mt[st]);for(let Nt=0;Nt<ct.length;Nt++){const Zt=ct[Nt];B?dt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+st,Nt+1,0,0,Ft,xt,Zt.image[st]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+st,Nt+1,Kt,Ft,xt,Zt.image[st])}}}m(v)&&d(i.TEXTURE_CUBE_MAP),tt.__version=nt.version,v.onUpdate&&v.onUpdate(v)}P.__version=v.version}function Et(P,v,F,$,nt,tt){const It=r.convert(F.format,F.colorSpace),ht=r.convert(F.type),Pt=A(F.internalFormat,It,ht,F.colorSpace),wt=n.get(v),rt=n.get(F);if(rt.__renderTarget=v,!wt.__hasExternalTextures){const mt=Math.max(1,v.width>>tt),Ot=Math.max(1,v.height>>tt);nt===i.TEXTURE_3D||nt===i.TEXTURE_2D_ARRAY?e.texImage3D(nt,tt,Pt,mt,Ot,v.depth,0,It,ht,null):e.texImage2D(nt,tt,Pt,mt,Ot,0,It,ht,null)}e.bindFramebuffer(i.FRAMEBUFFER,P),Rt(v)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,$,nt,rt.__webglTexture,0,Ee(v)):(nt===i.TEXTURE_2D||nt>=i.TEXTURE_CUBE_MAP_POSITIVE_X&&nt<=i.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&i.framebufferTexture2D(i.FRAMEBUFFER,$,nt,rt.__webglTexture,tt),e.bindFramebuffer(i.FRAMEBUFFER,null)}function Bt(P,v,F){if(i.bindRenderbuffer(i.RENDERBUFFER,P),v.depthBuffer){const $=v.depthTexture,nt=$&&$.isDepthTexture?$.type:null,tt=S(v.stencilBuffer,nt),It=v.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,ht=Ee(v);Rt(v)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,ht,tt,v.width,v.height):F?i.renderbufferStorageMultisample(i.RENDERBUFFER,ht,tt,v.width,v.height):i.renderbufferStorage(i.RENDERBUFFER,tt,v.width,v.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,It,i.RENDERBUFFER,P)}else{const $=v.textures;for(let nt=0;nt<$.length;nt++){const tt=$[nt],It=r.convert(tt.format,tt.colorSpace),ht=r.convert(tt.type),Pt=A(tt.internalFormat,It,ht,tt.colorSpace),wt=Ee(v);F&&Rt(v)===!1?i.renderbufferStorageMultisample(i.RENDERBUFFER,wt,Pt,v.width,v.height):Rt(v)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,wt,Pt,v.width,v.height):i.renderbufferStorage(i.RENDERBUFFER,Pt,v.width,v.height)}}i.bindRenderbuffer(i.RENDERBUFFER,null)}function vt(P,v){if(v&&v.isWebGLCubeRenderTarget)throw new Error("Depth Texture with cube render targets is not supported");if(e.bindFramebuffer(i.FRAMEBUFFER,P),!(v.depthTexture&&v.depthTexture.isDepthTexture))throw new Error("renderTarget.depthTexture must be an instance of THREE.DepthTexture");const $=n.get(v.depthTexture);$.__renderTarget=v,(!$.__webglTexture||v.depthTexture.image.width!==v.width||v.depthTexture.image.height!==v.height)&&(v.depthTexture.image.width=v.width,v.depthTexture.image.height=v.height,v.depthTexture.needsUpdate=!0),W(v.depthTexture,0);const nt=$.__webglTexture,tt=Ee(v);if(v.depthTexture.format===Mo)Rt(v)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,i.DEPTH_ATTACHMENT,i.TEXTURE_2D,nt,0,tt):i.framebufferTexture2D(i.FRAMEBUFFER,i.DEPTH_ATTACHMENT,i.TEXTURE_2D,nt,0);else if(v.depthTexture.format===So)Rt(v)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,i.DEPTH_STENCIL_ATTACHMENT,i.TEXTURE_2D,nt,0,tt):i.framebufferTexture2D(i.FRAMEBUFFER,i.DEPTH_STENCIL_ATTACHMENT,i.TEXTURE_2D,nt,0);else throw new Error("Unknown depthTexture format")}function $t(P){const v=n.get(P),F=P.isWebGLCubeRenderTarget===!0;if(v.__boundDepthTexture!==P.depthTexture){const $=P.depthTexture;if(v.__depthDisposeCallback&&v.__depthDisposeCallback(),$){const nt=()=>{delete v.__boundDepthTexture,delete v.__depthDisposeCallback,$.removeEventListener("dispose",nt)};$.addEventListener("dispose",nt),v.__depthDisposeCallback=nt}v.__boundDepthTexture=$}if(P.depthTexture&&!v.__autoAllocateDepthBuffer){if(F)throw new Error("target.depthTexture not supported in Cube render targets");const $=P.texture.mipmaps;$&&$.length>0?vt(v.__webglFramebuffer[0],P):vt(v.__webglFramebuffer,P)}else if(F){v.__webglDepthbuffer=[];for(let $=0;$<6;$++)if(e.bindFramebuffer(i.FRAMEBUFFER,v.__webglFramebuffer[$]),v.__webglDepthbuffer[$]===void 0)v.__webglDepthbuffer[$]=i.createRenderbuffer(),Bt(v.__webglDepthbuffer[$],P,!1);else{const nt=P.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,tt=v.__webglDepthbuffer[$];i.bindRenderbuffer(i.RENDERBUFFER,tt),i.framebufferRenderbuffer(i.FRAMEBUFFER,nt,i.RENDERBUFFER,tt)}}else{const $=P.texture.mipmaps;if($&&$.length>0?e.bindFramebuffer(i.FRAMEBUFFER,v.__webglFramebuffer[0]):e.bindFramebuffer(i.FRAMEBUFFER,v.__webglFramebuffer),v.__webglDepthbuffer===void 0)v.__webglDepthbuffer=i.createRenderbuffer(),Bt(v.__webglDepthbuffer,P,!1);else{const nt=P.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,tt=v.__webglDepthbuffer;i.bindRenderbuffer(i.RENDERBUFFER,tt),i.framebufferRenderbuffer(i.FRAMEBUFFER,nt,i.RENDERBUFFER,tt)}}e.bindFramebuffer(i.FRAMEBUFFER,null)}function Ue(P,v,F){const $=n.get(P);v!==void 0&&Et($.__webglFramebuffer,P,P.texture,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,0),F!==void 0&&$t(P)}function I(P){const v=P.texture,F=n.get(P),$=n.get(v);P.addEventListener("dispose",U);const nt=P.textures,tt=P.isWebGLCubeRenderTarget===!0,It=nt.length>1;if(It||($.__webglTexture===void 0&&($.__webglTexture=i.createTexture()),$.__version=v.version,o.memory.textures++),tt){F.__webglFramebuffer=[];for(let ht=0;ht<6;ht++)if(v.mipmaps&&v.mipmaps.length>0){F.__webglFramebuffer[ht]=[];for(let Pt=0;Pt<v.mipmaps.length;Pt++)F.__webglFramebuffer[ht][Pt]=i.createFramebuffer()}else F.__webglFramebuffer[ht]=i.createFramebuffer()}else{if(v.mipmaps&&v.mipmaps.length>0){F.__webglFramebuffer=[];for(let ht=0;ht<v.mipmaps.length;ht++)F.__webglFramebuffer[ht]=i.createFramebuffer()}else F.__webglFramebuffer=i.createFramebuffer();if(It)for(let ht=0,Pt=nt.length;ht<Pt;ht++){const wt=n.get(nt[ht]);wt.__webglTexture===void 0&&(wt.__webglTexture=i.createTexture(),o.memory.textures++)}if(P.samples>0&&Rt(P)===!1){F.__webglMultisampledFramebuffer=i.createFramebuffer(),F.__webglColorRenderbuffer=[],e.bindFramebuffer(i.FRAMEBUFFER,F.__webglMultisampledFramebuffer);for(let ht=0;ht<nt.length;ht++){const Pt=nt[ht];F.__webglColorRenderbuffer[ht]=i.createRenderbuffer(),i.bindRenderbuffer(i.RENDERBUFFER,F.__webglColorRenderbuffer[ht]);const wt=r.convert(Pt.format,Pt.colorSpace),rt=r.convert(Pt.type),mt=A(Pt.internalFormat,wt,rt,Pt.colorSpace,P.isXRRenderTarget===!0),Ot=Ee(P);i.renderbufferStorageMultisample(i.RENDERBUFFER,Ot,mt,P.width,P.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+ht,i.RENDERBUFFER,F.__webglColorRenderbuffer[ht])}i.bindRenderbuffer(i.RENDERBUFFER,null),P.depthBuffer&&(F.__webglDepthRenderbuffer=i.createRenderbuffer(),Bt(F.__webglDepthRenderbuffer,P,!0)),e.bindFramebuffer(i.FRAMEBUFFER,null)}}if(tt){e.bindTexture(i.TEXTURE_CUBE_MAP,$.__webglTexture),Mt(i.TEXTURE_CUBE_MAP,v);for(let ht=0;ht<6;ht++)if(v.mipmaps&&v.mipmaps.length>0)for(let Pt=0;Pt<v.mipmaps.length;Pt++)Et(F.__webglFramebuffer[ht][Pt],P,v,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+ht,Pt);else Et(F.__webglFramebuffer[ht],P,v,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+ht,0);m(v)&&d(i.TEXTURE_CUBE_MAP),e.unbindTexture()}else if(It){for(let ht=0,Pt=nt.length;ht<Pt;ht++){const wt=nt[ht],rt=n.get(wt);let mt=i.TEXTURE_2D;(P.isWebGL3DRenderTarget||P.isWebGLArrayRenderTarget)&&(mt=P.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(mt,rt.__webglTexture),Mt(mt,wt),Et(F.__webglFramebuffer,P,wt,i.COLOR_ATTACHMENT0+ht,mt,0),m(wt)&&d(mt)}e.unbindTexture()}else{let ht=i.TEXTURE_2D;if((P.isWebGL3DRenderTarget||P.isWebGLArrayRenderTarget)&&(ht=P.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(ht,$.__webglTexture),Mt(ht,v),v.mipmaps&&v.mipmaps.length>0)for(let Pt=0;Pt<v.mipmaps.length;Pt++)Et(F.__webglFramebuffer[Pt],P,v,i.COLOR_ATTACHMENT0,ht,Pt);else Et(F.__webglFramebuffer,P,v,i.COLOR_ATTACHMENT0,ht,0);m(v)&&d(ht),e.unbindTexture()}P.depthBuffer&&$t(P)}function ue(P){const v=P.textures;for(let F=0,$=v.length;F<$;F++){const nt=v[F];if(m(nt)){const tt=T(P),It=n.get(nt).__webglTexture;e.bindTexture(tt,It),d(tt),e.unbindTexture()}}}const Yt=[],Vt=[];function Ut(P){if(P.samples>0){if(Rt(P)===!1){const v=P.textures,F=P.width,$=P.height;let nt=i.COLOR_BUFFER_BIT;const tt=P.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,It=n.get(P),ht=v.length>1;if(ht)for(let wt=0;wt<v.length;wt++)e.bindFramebuffer(i.FRAMEBUFFER,It.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+wt,i.RENDERBUFFER,null),e.bindFramebuffer(i.FRAMEBUFFER,It.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+wt,i.TEXTURE_2D,null,0);e.bindFramebuffer(i.READ_FRAMEBUFFER,It.__webglMultisampledFramebuffer);const Pt=P.texture.mipmaps;Pt&&Pt.length>0?e.bindFramebuffer(i.DRAW_FRAMEBUFFER,It.__webglFramebuffer[0]):e.bindFramebuffer(i.DRAW_FRAMEBUFFER,It.__webglFramebuffer);for(let wt=0;wt<v.length;wt++){if(P.resolveDepthBuffer&&(P.depthBuffer&&(nt|=i.DEPTH_BUFFER_BIT),P.stencilBuffer&&P.resolveStencilBuffer&&(nt|=i.STENCIL_BUFFER_BIT)),ht){i.framebufferRenderbuffer(i.READ_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.RENDERBUFFER,It.__webglColorRenderbuffer[wt]);const rt=n.get(v[wt]).__webglTexture;i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,rt,0)}i.blitFramebuffer(0,0,F,$,0,0,F,$,nt,i.NEAREST),c===!0&&(Yt.length=0,Vt.length=0,Yt.push(i.COLOR_ATTACHMENT0+wt),P.depthBuffer&&P.resolveDepthBuffer===!1&&(Yt.push(tt),Vt.push(tt),i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,Vt)),i.invalidateFramebuffer(i.READ_FRAMEBUFFER,Yt))}if(e.bindFramebuffer(i.READ_FRAMEBUFFER,null),e.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),ht)for(let wt=0;wt<v.length;wt++){e.bindFramebuffer(i.FRAMEBUFFER,It.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+wt,i.RENDERBUFFER,It.__webglColorRenderbuffer[wt]);const rt=n.get(v[wt]).__webglTexture;e.bindFramebuffer(i.FRAMEBUFFER,It.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+wt,i.TEXTURE_2D,rt,0)}e.bindFramebuffer(i.DRAW_FRAMEBUFFER,It.__webglMultisampledFramebuffer)}else if(P.depthBuffer&&P.resolveDepthBuffer===!1&&c){const v=P.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,[v])}}}function Ee(P){return Math.min(s.maxSamples,P.samples)}function Rt(P){const v=n.get(P);return P.samples>0&&t.has("WEBGL_multisampled_render_to_texture")===!0&&v.__useRenderToTexture!==!1}function Ht(P){const v=o.render.frame;f.get(P)!==v&&(f.set(P,v),P.update())}function Oe(P,v){const F=P.colorSpace,$=P.format,nt=P.type;return P.isCompressedTexture===!0||P.isVideoTexture===!0||F!==Rr&&F!==as&&(me.getTransfer(F)===Ae?($!==vi||nt!==Li)&&console.warn("THREE.WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):console.error("THREE.WebGLTextures: Unsupported texture color space:",F)),v}function _e(P){return typeof HTMLImageElement<"u"&&P instanceof HTMLImageElement?(l.width=P.naturalWidth||P.width,l.height=P.naturalHeight||P.height):typeof VideoFrame<"u"&&P instanceof VideoFrame?(l.width=P.displayWidth,l.height=P.displayHeight):(l.width=P.width,l.height=P.height),l}this.allocateTextureUnit=V,this.resetTextureUnits=k,this.setTexture2D=W,this.setTexture2DArray=K,this.setTexture3D=q,this.setTextureCube=J,this.rebindTextures=Ue,this.setupRenderTarget=I,this.updateRenderTargetMipmap=ue,this.updateMultisampleRenderTarget=Ut,this.setupDepthRenderbuffer=$t,this.setupFrameBufferTexture=Et,this.useMultisampledRTT=Rt}function gM(i,t){function e(n,s=as){let r;const o=me.getTransfer(s);if(n===Li)return i.UNSIGNED_BYTE;if(n===oh)return i.UNSIGNED_SHORT_4_4_4_4;if(n===ah)return i.UNSIGNED_SHORT_5_5_5_1;if(n===Md)return i.UNSIGNED_INT_5_9_9_9_REV;if(n===Sd)return i.UNSIGNED_INT_10F_11F_11F_REV;if(n===vd)return i.BYTE;if(n===xd)return i.SHORT;if(n===vo)return i.UNSIGNED_SHORT;if(n===rh)return i.INT;if(n===Bs)return i.UNSIGNED_INT;if(n===Ri)return i.FLOAT;if(n===To)return i.HALF_FLOAT;if(n===yd)return i.ALPHA;if(n===Ed)return i.RGB;if(n===vi)return i.RGBA;if(n===Mo)return i.DEPTH_COMPONENT;if(n===So)return i.DEPTH_STENCIL;if(n===lh)return i.RED;if(n===ch)return i.RED_INTEGER;if(n===bd)return i.RG;if(n===hh)return i.RG_INTEGER;if(n===uh)return i.RGBA_INTEGER;if(n===ma||n===ga||n===_a||n===va)if(o===Ae)if(r=t.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(n===ma)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===ga)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===_a)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===va)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=t.get("WEBGL_compressed_texture_s3tc"),r!==null){if(n===ma)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===ga)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===_a)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===va)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(n===fc||n===dc||n===pc||n===mc)if(r=t.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(n===fc)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===dc)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===pc)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===mc)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(n===gc||n===_c||n===vc)if(r=t.get("WEBGL_compressed_texture_etc"),r!==null){if(n===gc||n===_c)return o===Ae?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(n===vc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC}else return null;if(n===xc||n===Mc||n===Sc||n===yc||n===Ec||n===bc||n===Tc||n===wc||n===Ac||n===Rc||n===Cc||n===Pc||n===Dc||n===Lc)if(r=t.get("WEBGL_compressed_texture_astc"),r!==null){if(n===xc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===Mc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===Sc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===yc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===Ec)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===bc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===Tc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===wc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===Ac)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===Rc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===Cc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===Pc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===Dc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===Lc)return o===Ae?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(n===Uc||n===Ic||n===Nc)if(r=t.get("EXT_texture_compression_bptc"),r!==null){if(n===Uc)return o===Ae?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===Ic)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===Nc)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(n===Fc||n===Oc||n===Bc||n===zc)if(r=t.get("EXT_texture_compression_rgtc"),r!==null){if(n===Fc)return r.COMPRESSED_RED_RGTC1_EXT;if(n===Oc)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===Bc)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===zc)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return n===xo?i.UNSIGNED_INT_24_8:i[n]!==void 0?i[n]:null}return{convert:e}}const _M=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,vM=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`;class xM{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(t,e){if(this.texture===null){const n=new Fd(t.texture);(t.depthNear!==e.depthNear||t.depthFar!==e.depthFar)&&(this.depthNear=t.depthNear,this.depthFar=t.depthFar),this.texture=n}}getMesh(t){if(this.texture!==null&&this.mesh===null){const e=t.cameras[0].viewport,n=new ps({vertexShader:_M,fragmentShader:vM,uniforms:{depthColor:{value:this.texture},depthWidth:{value:e.z},depthHeight:{value:e.w}}});this.mesh=new _n(new Oa(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}}class MM extends Gs{constructor(t,e){super();const n=this;let s=null,r=1,o=null,a="local-floor",c=1,l=null,f=null,h=null,u=null,p=null,_=null;const x=typeof XRWebGLBinding<"u",m=new xM,d={},T=e.getContextAttributes();let A=null,S=null;const L=[],C=[],U=new Qt;let O=null;const b=new On;b.viewport=new Xe;const E=new On;E.viewport=new Xe;const R=[b,E],k=new zg;let V=null,Y=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(Q){let et=L[Q];return et===void 0&&(et=new Cl,L[Q]=et),et.getTargetRaySpace()},this.getControllerGrip=function(Q){let et=L[Q];return et===void 0&&(et=new Cl,L[Q]=et),et.getGripSpace()},this.getHand=function(Q){let et=L[Q];return et===void 0&&(et=new Cl,L[Q]=et),et.getHandSpace()};function W(Q){const et=C.indexOf(Q.inputSource);if(et===-1)return;const Et=L[et];Et!==void 0&&(Et.update(Q.inputSource,Q.frame,l||o),Et.dispatchEvent({type:Q.type,data:Q.inputSource}))}function K(){s.removeEventListener("select",W),s.removeEventListener("selectstart",W),s.removeEventListener("selectend",W),s.removeEventListener("squeeze",W),s.removeEventListener("squeezestart",W),s.removeEventListener("squeezeend",W),s.removeEventListener("end",K),s.removeEventListener("inputsourceschange",q);for(let Q=0;Q<L.length;Q++){const et=C[Q];et!==null&&(C[Q]=null,L[Q].disconnect(et))}V=null,Y=null,m.reset();for(const Q in d)delete d[Q];t.setRenderTarget(A),p=null,u=null,h=null,s=null,S=null,jt.stop(),n.isPresenting=!1,t.setPixelRatio(O),t.setSize(U.width,U.height,!1),n.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(Q){r=Q,n.isPresenting===!0&&console.warn("THREE.WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(Q){a=Q,n.isPresenting===!0&&console.warn("THREE.WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return l||o},this.setReferenceSpace=function(Q){l=Q},this.getBaseLayer=function(){return u!==null?u:p},this.getBinding=function(){return h===null&&x&&(h=new XRWebGLBinding(s,e)),h},this.getFrame=function(){return _},this.getSession=function(){return s},this.setSession=async function(Q){if(s=Q,s!==null){if(A=t.getRenderTarget(),s.addEventListener("select",W),s.addEventListener("selectstart",W),s.addEventListener("selectend",W),s.addEventListener("squeeze",W),s.addEventListener("squeezestart",W),s.addEventListener("squeezeend",W),s.addEventListener("end",K),s.addEventListener("inputsourceschange",q),T.xrCompatible!==!0&&await e.makeXRCompatible(),O=t.getPixelRatio(),t.getSize(U),x&&"createProjectionLayer"in XRWebGLBinding.prototype){let Et=null,Bt=null,vt=null;T.depth&&(vt=T.stencil?e.DEPTH24_STENCIL8:e.DEPTH_COMPONENT24,Et=T.stencil?So:Mo,Bt=T.stencil?xo:Bs);const $t={colorFormat:e.RGBA8,depthFormat:vt,scaleFactor:r};h=this.getBinding(),u=h.createProjectionLayer($t),s.updateRenderState({layers:[u]}),t.setPixelRatio(1),t.setSize(u.textureWidth,u.textureHeight,!1),S=new zs(u.textureWidth,u.textureHeight,{format:vi,type:Li,depthTexture:new Nd(u.textureWidth,u.textureHeight,Bt,void 0,void 0,void 0,void 0,void 0,void 0,Et),stencilBuffer:T.stencil,colorSpace:t.outputColorSpace,samples:T.antialias?4:0,resolveDepthBuffer:u.ignoreDepthValues===!1,resolveStencilBuffer:u.ignoreDepthValues===!1})}else{const Et={antialias:T.antialias,alpha:!0,depth:T.depth,stencil:T.stencil,framebufferScaleFactor:r};p=new XRWebGLLayer(s,e,Et),s.updateRenderState({baseLayer:p}),t.setPixelRatio(1),t.setSize(p.framebufferWidth,p.framebufferHeight,!1),S=new zs(p.framebufferWidth,p.framebufferHeight,{format:vi,type:Li,colorSpace:t.outputColorSpace,stencilBuffer:T.stencil,resolveDepthBuffer:p.ignoreDepthValues===!1,resolveStencilBuffer:p.ignoreDepthValues===!1})}S.isXRRenderTarget=!0,this.setFoveation(c),l=null,o=await s.requestReferenceSpace(a),jt.setContext(s),jt.start(),n.isPresenting=!0,n.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return m.getDepthTexture()};function q(Q){for(let et=0;et<Q.removed.length;et++){const Et=Q.removed[et],Bt=C.indexOf(Et);Bt>=0&&(C[Bt]=null,L[Bt].disconnect(Et))}for(let et=0;et<Q.added.length;et++){const Et=Q.added[et];let Bt=C.indexOf(Et);if(Bt===-1){for(let $t=0;$t<L.length;$t++)if($t>=C.length){C.push(Et),Bt=$t;break}else if(C[$t]===null){C[$t]=Et,Bt=$t;break}if(Bt===-1)break}const vt=L[Bt];vt&&vt.connect(Et)}}const J=new N,ot=new N;function at(Q,et,Et){J.setFromMatrixPosition(et.matrixWorld),ot.setFromMatrixPosition(Et.matrixWorld);const Bt=J.distanceTo(ot),vt=et.projectionMatrix.elements,$t=Et.projectionMatrix.elements,Ue=vt[14]/(vt[10]-1),I=vt[14]/(vt[10]+1),ue=(vt[9]+1)/vt[5],Yt=(vt[9]-1)/vt[5],Vt=(vt[8]-1)/vt[0],Ut=($t[8]+1)/$t[0],Ee=Ue*Vt,Rt=Ue*Ut,Ht=Bt/(-Vt+Ut),Oe=Ht*-Vt;if(et.matrixWorld.decompose(Q.position,Q.quaternion,Q.scale),Q.translateX(Oe),Q.translateZ(Ht),Q.matrixWorld.compose(Q.position,Q.quaternion,Q.scale),Q.matrixWorldInverse.copy(Q.matrixWorld).invert(),vt[10]===-1)Q.projectionMatrix.copy(et.projectionMatrix),Q.projectionMatrixInverse.copy(et.projectionMatrixInverse);else{const _e=Ue+Ht,P=I+Ht,v=Ee-Oe,F=Rt+(Bt-Oe),$=ue*I/P*_e,nt=Yt*I/P*_e;Q.projectionMatrix.makePerspective(v,F,$,nt,_e,P),Q.projectionMatrixInverse.copy(Q.projectionMatrix).invert()}}function _t(Q,et){et===null?Q.matrixWorld.copy(Q.matrix):Q.matrixWorld.multiplyMatrices(et.matrixWorld,Q.matrix),Q.matrixWorldInverse.copy(Q.matrixWorld).invert()}this.updateCamera=function(Q){if(s===null)return;let et=Q.near,Et=Q.far;m.texture!==null&&(m.depthNear>0&&(et=m.depthNear),m.depthFar>0&&(Et=m.depthFar)),k.near=E.near=b.near=et,k.far=E.far=b.far=Et,(V!==k.near||Y!==k.far)&&(s.updateRenderState({depthNear:k.near,depthFar:k.far}),V=k.near,Y=k.far),k.layers.mask=Q.layers.mask|6,b.layers.mask=k.layers.mask&3,E.layers.mask=k.layers.mask&5;const Bt=Q.parent,vt=k.cameras;_t(k,Bt);for(let $t=0;$t<vt.length;$t++)_t(vt[$t],Bt);vt.length===2?at(k,b,E):k.projectionMatrix.copy(b.projectionMatrix),Mt(Q,k,Bt)};function Mt(Q,et,Et){Et===null?Q.matrix.copy(et.matrixWorld):(Q.matrix.copy(Et.matrixWorld),Q.matrix.invert(),Q.matrix.multiply(et.matrixWorld)),Q.matrix.decompose(Q.position,Q.quaternion,Q.scale),Q.updateMatrixWorld(!0),Q.projectionMatrix.copy(et.projectionMatrix),Q.projectionMatrixInverse.copy(et.projectionMatrixInverse),Q.isPerspectiveCamera&&(Q.fov=kc*2*Math.atan(1/Q.projectionMatrix.elements[5]),Q.zoom=1)}this.getCamera=function(){return k},this.getFoveation=function(){if(!(u===null&&p===null))return c},this.setFoveation=function(Q){c=Q,u!==null&&(u.fixedFoveation=Q),p!==null&&p.fixedFoveation!==void 0&&(p.fixedFoveation=Q)},this.hasDepthSensing=function(){return m.texture!==null},this.getDepthSensingMesh=function(){return m.getMesh(k)},this.getCameraTexture=function(Q){return d[Q]};let gt=null;function te(Q,et){if(f=et.getViewerPose(l||o),_=et,f!==null){const Et=f.views;p!==null&&(t.setRenderTargetFramebuffer(S,p.framebuffer),t.setRenderTarget(S));let Bt=!1;Et.length!==k.cameras.length&&(k.cameras.length=0,Bt=!0);for(let I=0;I<Et.length;I++){const ue=Et[I];let Yt=null;if(p!==null)Yt=p.getViewport(ue);else{const Ut=h.getViewSubImage(u,ue);Yt=Ut.viewport,I===0&&(t.setRenderTargetTextures(S,Ut.colorTexture,Ut.depthStencilTexture),t.setRenderTarget(S))}let Vt=R[I];Vt===void 0&&(Vt=new On,Vt.layers.enable(I),Vt.viewport=new Xe,R[I]=Vt),Vt.matrix.fromArray(ue.transform.matrix),Vt.matrix.decompose(Vt.position,Vt.quaternion,Vt.scale),Vt.projectionMatrix.fromArray(ue.projectionMatrix),Vt.projectionMatrixInverse.copy(Vt.projectionMatrix).invert(),Vt.viewport.set(Yt.x,Yt.y,Yt.width,Yt.height),I===0&&(k.matrix.copy(Vt.matrix),k.matrix.decompose(k.position,k.quaternion,k.scale)),Bt===!0&&k.cameras.push(Vt)}const vt=s.enabledFeatures;if(vt&&vt.includes("depth-sensing")&&s.depthUsage=="gpu-optimized"&&x){h=n.getBinding();const I=h.getDepthInformation(Et[0]);I&&I.isValid&&I.texture&&m.init(I,s.renderState)}if(vt&&vt.includes("camera-access")&&x){t.state.unbindTexture(),h=n.getBinding();for(let I=0;I<Et.length;I++){const ue=Et[I].camera;if(ue){let Yt=d[ue];Yt||(Yt=new Fd,d[ue]=Yt);const Vt=h.getCameraImage(ue);Yt.sourceTexture=Vt}}}}for(let Et=0;Et<L.length;Et++){const Bt=C[Et],vt=L[Et];Bt!==null&&vt!==void 0&&vt.update(Bt,et,l||o)}gt&&gt(Q,et),et.detectedPlanes&&n.dispatchEvent({type:"planesdetected",data:et}),_=null}const jt=new zd;jt.setAnimationLoop(te),this.setAnimationLoop=function(Q){gt=Q},this.dispose=function(){}}}const As=new xi,SM=new ye;function yM(i,t){function e(m,d){m.matrixAutoUpdate===!0&&m.updateMatrix(),d.value.copy(m.matrix)}function n(m,d){d.color.getRGB(m.fogColor.value,Dd(i)),d.isFog?(m.fogNear.value=d.near,m.fogFar.value=d.far):d.isFogExp2&&(m.fogDensity.value=d.density)}function s(m,d,T,A,S){d.isMeshBasicMaterial||d.isMeshLambertMaterial?r(m,d):d.isMeshToonMaterial?(r(m,d),h(m,d)):d.isMeshPhongMaterial?(r(m,d),f(m,d)):d.isMeshStandardMaterial?(r(m,d),u(m,d),d.isMeshPhysicalMaterial&&p(m,d,S)):d.isMeshMatcapMaterial?(r(m,d),_(m,d)):d.isMeshDepthMaterial?r(m,d):d.isMeshDistanceMaterial?(r(m,d),x(m,d)):d.isMeshNormalMaterial?r(m,d):d.isLineBasicMaterial?(o(m,d),d.isLineDashedMaterial&&a(m,d)):d.isPointsMaterial?c(m,d,T,A):d.isSpriteMaterial?l(m,d):d.isShadowMaterial?(m.color.value.copy(d.color),m.opacity.value=d.opacity):d.isShaderMaterial&&(d.uniformsNeedUpdate=!1)}function r(m,d){m.opacity.value=d.opacity,d.color&&m.diffuse.value.copy(d.color),d.emissive&&m.emissive.value.copy(d.emissive).multiplyScalar(d.emissiveIntensity),d.map&&(m.map.value=d.map,e(d.map,m.mapTransform)),d.alphaMap&&(m.alphaMap.value=d.alphaMap,e(d.alphaMap,m.alphaMapTransform)),d.bumpMap&&(m.bumpMap.value=d.bumpMap,e(d.bumpMap,m.bumpMapTransform),m.bumpScale.value=d.bumpScale,d.side===Bn&&(m.bumpScale.value*=-1)),d.normalMap&&(m.normalMap.value=d.normalMap,e(d.normalMap,m.normalMapTransform),m.normalScale.value.copy(d.normalScale),d.side===Bn&&m.normalScale.value.negate()),d.displacementMap&&(m.displacementMap.value=d.displacementMap,e(d.displacementMap,m.displacementMapTransform),m.displacementScale.value=d.displacementScale,m.displacementBias.value=d.displacementBias),d.emissiveMap&&(m.emissiveMap.value=d.emissiveMap,e(d.emissiveMap,m.emissiveMapTransform)),d.specularMap&&(m.specularMap.value=d.specularMap,e(d.specularMap,m.specularMapTransform)),d.alphaTest>0&&(m.alphaTest.value=d.alphaTest);const T=t.get(d),A=T.envMap,S=T.envMapRotation;A&&(m.envMap.value=A,As.copy(S),As.x*=-1,As.y*=-1,As.z*=-1,A.isCubeTexture&&A.isRenderTargetTexture===!1&&(As.y*=-1,As.z*=-1),m.envMapRotation.value.setFromMatrix4(SM.makeRotationFromEuler(As)),m.flipEnvMap.value=A.isCubeTexture&&A.isRenderTargetTexture===!1?-1:1,m.reflectivity.value=d.reflectivity,m.ior.value=d.ior,m.refractionRatio.value=d.refractionRatio),d.lightMap&&(m.lightMap.value=d.lightMap,m.lightMapIntensity.value=d.lightMapIntensity,e(d.lightMap,m.lightMapTransform)),d.aoMap&&(m.aoMap.value=d.aoMap,m.aoMapIntensity.value=d.aoMapIntensity,e(d.aoMap,m.aoMapTransform))}function o(m,d){m.diffuse.value.copy(d.color),m.opacity.value=d.opacity,d.map&&(m.map.value=d.map,e(d.map,m.mapTransform))}function a(m,d){m.dashSize.value=d.dashSize,m.totalSize.value=d.dashSize+d.gapSize,m.scale.value=d.scale}function c(m,d,T,A){m.diffuse.value.copy(d.color),m.opacity.value=d.opacity,m.size.value=d.size*T,m.scale.value=A*.5,d.map&&(m.map.value=d.map,e(d.map,m.uvTransform)),d.alphaMap&&(m.alphaMap.value=d.alphaMap,e(d.alphaMap,m.alphaMapTransform)),d.alphaTest>0&&(m.alphaTest.value=d.alphaTest)}function l(m,d){m.diffuse.value.copy(d.color),m.opacity.value=d.opacity,m.rotation.value=d.rotation,d.map&&(m.map.value=d.map,e(d.map,m.mapTransform)),d.alphaMap&&(m.alphaMap.value=d.alphaMap,e(d.alphaMap,m.alphaMapTransform)),d.alphaTest>0&&(m.alphaTest.value=d.alphaTest)}function f(m,d){m.specular.value.copy(d.specular),m.shininess.value=Math.max(d.shininess,1e-4)}function h(m,d){d.gradientMap&&(m.gradientMap.value=d.gradientMap)}function u(m,d){m.metalness.value=d.metalness,d.metalnessMap&&(m.metalnessMap.value=d.metalnessMap,e(d.metalnessMap,m.metalnessMapTransform)),m.roughness.value=d.roughness,d.roughnessMap&&(m.roughnessMap.value=d.roughnessMap,e(d.roughnessMap,m.roughnessMapTransform)),d.envMap&&(m.envMapIntensity.value=d.envMapIntensity)}function p(m,d,T){m.ior.value=d.ior,d.sheen>0&&(m.sheenColor.value.copy(d.sheenColor).multiplyScalar(d.sheen),m.sheenRoughness.value=d.sheenRoughness,d.sheenColorMap&&(m.sheenColorMap.value=d.sheenColorMap,e(d.sheenColorMap,m.sheenColorMapTransform)),d.sheenRoughnessMap&&(m.sheenRoughnessMap.value=d.sheenRoughnessMap,e(d.sheenRoughnessMap,m.sheenRoughnessMapTransform))),d.clearcoat>0&&(m.clearcoat.value=d.clearcoat,m.clearcoatRoughness.value=d.clearcoatRoughness,d.clearcoatMap&&(m.clearcoatMap.value=d.clearcoatMap,e(d.clearcoatMap,m.clearcoatMapTransform)),d.clearcoatRoughnessMap&&(m.clearcoatRoughnessMap.value=d.clearcoatRoughnessMap,e(d.clearcoatRoughnessMap,m.clearcoatRoughnessMapTransform)),d.clearcoatNormalMap&&(m.clearcoatNormalMap.value=d.clearcoatNormalMap,e(d.clearcoatNormalMap,m.clearcoatNormalMapTransform),m.clearcoatNormalScale.value.copy(d.clearcoatNormalScale),d.side===Bn&&m.clearcoatNormalScale.value.negate())),d.dispersion>0&&(m.dispersion.value=d.dispersion),d.iridescence>0&&(m.iridescence.value=d.iridescence,m.iridescenceIOR.value=d.iridescenceIOR,m.iridescenceThicknessMinimum.value=d.iridescenceThicknessRange[0],m.iridescenceThicknessMaximum.value=d.iridescenceThicknessRange[1],d.iridescenceMap&&(m.iridescenceMap.value=d.iridescenceMap,e(d.iridescenceMap,m.iridescenceMapTransform)),d.iridescenceThicknessMap&&(m.iridescenceThicknessMap.value=d.iridescenceThicknessMap,e(d.iridescenceThicknessMap,m.iridescenceThicknessMapTransform))),d.transmission>0&&(m.transmission.value=d.transmission,m.transmissionSamplerMap.value=T.texture,m.transmissionSamplerSize.value.set(T.width,T.height),d.transmissionMap&&(m.transmissionMap.value=d.transmissionMap,e(d.transmissionMap,m.transmissionMapTransform)),m.thickness.value=d.thickness,d.thicknessMap&&(m.thicknessMap.value=d.thicknessMap,e(d.thicknessMap,m.thicknessMapTransform)),m.attenuationDistance.value=d.attenuationDistance,m.attenuationColor.value.copy(d.attenuationColor)),d.anisotropy>0&&(m.anisotropyVector.value.set(d.anisotropy*Math.cos(d.anisotropyRotation),d.anisotropy*Math.sin(d.anisotropyRotation)),d.anisotropyMap&&(m.anisotropyMap.value=d.anisotropyMap,e(d.anisotropyMap,m.anisotropyMapTransform))),m.specularIntensity.value=d.specularIntensity,m.specularColor.value.copy(d.specularColor),d.specularColorMap&&(m.specularColorMap.value=d.specularColorMap,e(d.specularColorMap,m.specularColorMapTransform)),d.specularIntensityMap&&(m.specularIntensityMap.value=d.specularIntensityMap,e(d.specularIntensityMap,m.specularIntensityMapTransform))}function _(m,d){d.matcap&&(m.matcap.value=d.matcap)}function x(m,d){const T=t.get(d).light;m.referencePosition.value.setFromMatrixPosition(T.matrixWorld),m.nearDistance.value=T.shadow.camera.near,m.farDistance.value=T.shadow.camera.far}return{refreshFogUniforms:n,refreshMaterialUniforms:s}}function EM(i,t,e,n){let s={},r={},o=[];const a=i.getParameter(i.MAX_UNIFORM_BUFFER_BINDINGS);function c(T,A){const S=A.program;n.uniformBlockBinding(T,S)}function l(T,A){let S=s[T.id];S===void 0&&(_(T),S=f(T),s[T.id]=S,T.addEventListener("dispose",m));const L=A.program;n.updateUBOMapping(T,L);const C=t.render.frame;r[T.id]!==C&&(u(T),r[T.id]=C)}function f(T){const A=h();T.__bindingPointIndex=A;const S=i.createBuffer(),L=T.__size,C=T.usage;return i.bindBuffer(i.UNIFORM_BUFFER,S),i.bufferData(i.UNIFORM_BUFFER,L,C),i.bindBuffer(i.UNIFORM_BUFFER,null),i.bindBufferBase(i.UNIFORM_BUFFER,A,S),S}function h(){for(let T=0;T<a;T++)if(o.indexOf(T)===-1)return o.push(T),T;return console.error("THREE.WebGLRenderer: Maximum number of simultaneously usable uniforms groups reached."),0}function u(T){const A=s[T.id],S=T.uniforms,L=T.__cache;i.bindBuffer(i.UNIFORM_BUFFER,A);for(let C=0,U=S.length;C<U;C++){const O=Array.isArray(S[C])?S[C]:[S[C]];for(let b=0,E=O.length;b<E;b++){const R=O[b];if(p(R,C,b,L)===!0){const k=R.__offset,V=Array.isArray(R.value)?R.value:[R.value];let Y=0;for(let W=0;W<V.length;W++){const K=V[W],q=x(K);typeof K=="number"||typeof K=="boolean"?(R.__data[0]=K,i.bufferSubData(i.UNIFORM_BUFFER,k+Y,R.__data)):K.isMatrix3?(R.__data[0]=K.elements[0],R.__data[1]=K.elements[1],R.__data[2]=K.elements[2],R.__data[3]=0,R.__data[4]=K.elements[3],R.__data[5]=K.elements[4],R.__data[6]=K.elements[5],R.__data[7]=0,R.__data[8]=K.elements[6],R.__data[9]=K.elements[7],R.__data[10]=K.elements[8],R.__data[11]=0):(K.toArray(R.__data,Y),Y+=q.storage/Float32Array.BYTES_PER_ELEMENT)}i.bufferSubData(i.UNIFORM_BUFFER,k,R.__data)}}}i.bindBuffer(i.UNIFORM_BUFFER,null)}function p(T,A,S,L){const C=T.value,U=A+"_"+S;if(L[U]===void 0)return typeof C=="number"||typeof C=="boolean"?L[U]=C:L[U]=C.clone(),!0;{const O=L[U];if(typeof C=="number"||typeof C=="boolean"){if(O!==C)return L[U]=C,!0}else if(O.equals(C)===!1)return O.copy(C),!0}return!1}function _(T){const A=T.uniforms;let S=0;const L=16;for(let U=0,O=A.length;U<O;U++){const b=Array.isArray(A[U])?A[U]:[A[U]];for(let E=0,R=b.length;E<R;E++){const k=b[E],V=Array.isArray(k.value)?k.value:[k.value];for(let Y=0,W=V.length;Y<W;Y++){const K=V[Y],q=x(K),J=S%L,ot=J%q.boundary,at=J+ot;S+=ot,at!==0&&L-at<q.storage&&(S+=L-at),k.__data=new Float32Array(q.storage/Float32Array.BYTES_PER_ELEMENT),k.__offset=S,S+=q.storage}}}const C=S%L;return C>0&&(S+=L-C),T.__size=S,T.__cache={},this}function x(T){const A={boundary:0,storage:0};return typeof T=="number"||typeof T=="boolean"?(A.boundary=4,A.storage=4):T.isVector2?(A.boundary=8,A.storage=8):T.isVector3||T.isColor?(A.boundary=16,A.storage=12):T.isVector4?(A.boundary=16,A.storage=16):T.isMatrix3?(A.boundary=48,A.storage=48):T.isMatrix4?(A.boundary=64,A.storage=64):T.isTexture?console.warn("THREE.WebGLRenderer: Texture samplers can not be part of an uniforms group."):console.warn("THREE.WebGLRenderer: Unsupported uniform value type.",T),A}function m(T){const A=T.target;A.removeEventListener("dispose",m);const S=o.indexOf(A.__bindingPointIndex);o.splice(S,1),i.deleteBuffer(s[A.id]),delete s[A.id],delete r[A.id]}function d(){for(const T in s)i.deleteBuffer(s[T]);o=[],s={},r={}}return{bind:c,update:l,dispose:d}}class bM{constructor(t={}){const{canvas:e=Jm(),context:n=null,depth:s=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:c=!0,preserveDrawingBuffer:l=!1,powerPreference:f="default",failIfMajorPerformanceCaveat:h=!1,reversedDepthBuffer:u=!1}=t;this.isWebGLRenderer=!0;let p;if(n!==null){if(typeof WebGLRenderingContext<"u"&&n instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");p=n.getContextAttributes().alpha}else p=o;const _=new Uint32Array(4),x=new Int32Array(4);let m=null,d=null;const T=[],A=[];this.domElement=e,this.debug={checkShaderErrors:!0,onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=hs,this.toneMappingExposure=1,this.transmissionResolutionScale=1;const S=this;let L=!1;this._outputColorSpace=qn;let C=0,U=0,O=null,b=-1,E=null;const R=new Xe,k=new Xe;let V=null;const Y=new ne(0);let W=0,K=e.width,q=e.height,J=1,ot=null,at=null;const _t=new Xe(0,0,K,q),Mt=new Xe(0,0,K,q);let gt=!1;const te=new mh;let jt=!1,Q=!1;const et=new ye,Et=new N,Bt=new Xe,vt={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0};let $t=!1;function Ue(){return O===null?J:1}let I=n;function ue(y,H){return e.getContext(y,H)}try{const y={alpha:!0,depth:s,stencil:r,antialias:a,premultipliedAlpha:c,preserveDrawingBuffer:l,powerPreference:f,failIfMajorPerformanceCaveat:h};if("setAttribute"in e&&e.setAttribute("data-engine",`three.js r${ih}`),e.addEventListener("webglcontextlost",dt,!1),e.addEventListener("webglcontextrestored",Ct,!1),e.addEventListener("webglcontextcreationerror",ct,!1),I===null){const H="webgl2";if(I=ue(H,y),I===null)throw ue(H)?new Error("Error creating WebGL context with your selected attributes."):new Error("Error creating WebGL context.")}}catch(y){throw console.error("THREE.WebGLRenderer: "+y.message),y}let Yt,Vt,Ut,Ee,Rt,Ht,Oe,_e,P,v,F,$,nt,tt,It,ht,Pt,wt,rt,mt,Ot,Ft,xt,Kt;function B(){Yt=new Iv(I),Yt.init(),Ft=new gM(I,Yt),Vt=new Av(I,Yt,t,Ft),Ut=new pM(I,Yt),Vt.reversedDepthBuffer&&u&&Ut.buffers.depth.setReversed(!0),Ee=new Ov(I),Rt=new eM,Ht=new mM(I,Yt,Ut,Rt,Vt,Ft,Ee),Oe=new Cv(S),_e=new Uv(S),P=new Gg(I),xt=new Tv(I,P),v=new Nv(I,P,Ee,xt),F=new zv(I,v,P,Ee),rt=new Bv(I,Vt,Ht),ht=new Rv(Rt),$=new tM(S,Oe,_e,Yt,Vt,xt,ht),nt=new yM(S,Rt),tt=new iM,It=new cM(Yt),wt=new bv(S,Oe,_e,Ut,F,p,c),Pt=new fM(S,F,Vt),Kt=new EM(I,Ee,Vt,Ut),mt=new wv(I,Yt,Ee),Ot=new Fv(I,Yt,Ee),Ee.programs=$.programs,S.capabilities=Vt,S.extensions=Yt,S.properties=Rt,S.renderLists=tt,S.shadowMap=Pt,S.state=Ut,S.info=Ee}B();const ut=new MM(S,I);this.xr=ut,this.getContext=function(){return I},this.getContextAttributes=function(){return I.getContextAttributes()},this.forceContextLoss=function(){const y=Yt.get("WEBGL_lose_context");y&&y.loseContext()},this.forceContextRestore=function(){const y=Yt.get("WEBGL_lose_context");y&&y.restoreContext()},this.getPixelRatio=function(){return J},this.setPixelRatio=function(y){y!==void 0&&(J=y,this.setSize(K,q,!1))},this.getSize=function(y){return y.set(K,q)},this.setSize=function(y,H,Z=!0){if(ut.isPresenting){console.warn("THREE.WebGLRenderer: Can't change size while VR device is presenting.");return}K=y,q=H,e.width=Math.floor(y*J),e.height=Math.floor(H*J),Z===!0&&(e.style.width=y+"px",e.style.height=H+"px"),this.setViewport(0,0,y,H)},this.getDrawingBufferSize=function(y){return y.set(K*J,q*J).floor()},this.setDrawingBufferSize=function(y,H,Z){K=y,q=H,J=Z,e.width=Math.floor(y*Z),e.height=Math.floor(H*Z),this.setViewport(0,0,y,H)},this.getCurrentViewport=function(y){return y.copy(R)},this.getViewport=function(y){return y.copy(_t)},this.setViewport=function(y,H,Z,j){y.isVector4?_t.set(y.x,y.y,y.z,y.w):_t.set(y,H,Z,j),Ut.viewport(R.copy(_t).multiplyScalar(J).round())},this.getScissor=function(y){return y.copy(Mt)},this.setScissor=function(y,H,Z,j){y.isVector4?Mt.set(y.x,y.y,y.z,y.w):Mt.set(y,H,Z,j),Ut.scissor(k.copy(Mt).multiplyScalar(J).round())},this.getScissorTest=function(){return gt},this.setScissorTest=function(y){Ut.setScissorTest(gt=y)},this.setOpaqueSort=function(y){ot=y},this.setTransparentSort=function(y){at=y},this.getClearColor=function(y){return y.copy(wt.getClearColor())},this.setClearColor=function(){wt.setClearColor(...arguments)},this.getClearAlpha=function(){return wt.getClearAlpha()},this.setClearAlpha=function(){wt.setClearAlpha(...arguments)},this.clear=function(y=!0,H=!0,Z=!0){let j=0;if(y){let G=!1;if(O!==null){const ft=O.texture.format;G=ft===uh||ft===hh||ft===ch}if(G){const ft=O.texture.type,St=ft===Li||ft===Bs||ft===vo||ft===xo||ft===oh||ft===ah,Dt=wt.getClearColor(),bt=wt.getClearAlpha(),Wt=Dt.r,Xt=Dt.g,zt=Dt.b;St?(_[0]=Wt,_[1]=Xt,_[2]=zt,_[3]=bt,I.clearBufferuiv(I.COLOR,0,_)):(x[0]=Wt,x[1]=Xt,x[2]=zt,x[3]=bt,I.clearBufferiv(I.COLOR,0,x))}else j|=I.COLOR_BUFFER_BIT}H&&(j|=I.DEPTH_BUFFER_BIT),Z&&(j|=I.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),I.clear(j)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.dispose=function(){e.removeEventListener("webglcontextlost",dt,!1),e.removeEventListener("webglcontextrestored",Ct,!1),e.removeEventListener("webglcontextcreationerror",ct,!1),wt.dispose(),tt.dispose(),It.dispose(),Rt.dispose(),Oe.dispose(),_e.dispose(),F.dispose(),xt.dispose(),Kt.dispose(),$.dispose(),ut.dispose(),ut.removeEventListener("sessionstart",Pe),ut.removeEventListener("sessionend",kn),Ln.stop()};function dt(y){y.preventDefault(),console.log("THREE.WebGLRenderer: Context Lost."),L=!0}function Ct(){console.log("THREE.WebGLRenderer: Context Restored."),L=!1;const y=Ee.autoReset,H=Pt.enabled,Z=Pt.autoUpdate,j=Pt.needsUpdate,G=Pt.type;B(),Ee.autoReset=y,Pt.enabled=H,Pt.autoUpdate=Z,Pt.needsUpdate=j,Pt.type=G}function ct(y){console.error("THREE.WebGLRenderer: A WebGL context could not be created. Reason: ",y.statusMessage)}function st(y){const H=y.target;H.removeEventListener("dispose",st),Nt(H)}function Nt(y){Zt(y),Rt.remove(y)}function Zt(y){const H=Rt.get(y).programs;H!==void 0&&(H.forEach(function(Z){$.releaseProgram(Z)}),y.isShaderMaterial&&$.releaseShaderCache(y))}this.renderBufferDirect=function(y,H,Z,j,G,ft){H===null&&(H=vt);const St=G.isMesh&&G.matrixWorld.determinant()<0,Dt=Ii(y,H,Z,j,G);Ut.setMaterial(j,St);let bt=Z.index,Wt=1;if(j.wireframe===!0){if(bt=v.getWireframeAttribute(Z),bt===void 0)return;Wt=2}const Xt=Z.drawRange,zt=Z.attributes.position;let se=Xt.start*Wt,de=(Xt.start+Xt.count)*Wt;ft!==null&&(se=Math.max(se,ft.start*Wt),de=Math.min(de,(ft.start+ft.count)*Wt)),bt!==null?(se=Math.max(se,0),de=Math.min(de,bt.count)):zt!=null&&(se=Math.max(se,0),de=Math.min(de,zt.count));const Ie=de-se;if(Ie<0||Ie===1/0)return;xt.setup(G,j,Dt,Z,bt);let be,ee=mt;if(bt!==null&&(be=P.get(bt),ee=Ot,ee.setIndex(be)),G.isMesh)j.wireframe===!0?(Ut.setLineWidth(j.wireframeLinewidth*Ue()),ee.setMode(I.LINES)):ee.setMode(I.TRIANGLES);else if(G.isLine){let Gt=j.linewidth;Gt===void 0&&(Gt=1),Ut.setLineWidth(Gt*Ue()),G.isLineSegments?ee.setMode(I.LINES):G.isLineLoop?ee.setMode(I.LINE_LOOP):ee.setMode(I.LINE_STRIP)}else G.isPoints?ee.setMode(I.POINTS):G.isSprite&&ee.setMode(I.TRIANGLES);if(G.isBatchedMesh)if(G._multiDrawInstances!==null)yo("THREE.WebGLRenderer: renderMultiDrawInstances has been deprecated and will be removed in r184. Append to renderMultiDraw arguments and use indirection."),ee.renderMultiDrawInstances(G._multiDrawStarts,G._multiDrawCounts,G._multiDrawCount,G._multiDrawInstances);else if(Yt.get("WEBGL_multi_draw"))ee.renderMultiDraw(G._multiDrawStarts,G._multiDrawCounts,G._multiDrawCount);else{const Gt=G._multiDrawStarts,Ne=G._multiDrawCounts,ce=G._multiDrawCount,vn=bt?P.get(bt).bytesPerElement:1,Ki=Rt.get(j).currentProgram.getUniforms();for(let En=0;En<ce;En++)Ki.setValue(I,"_gl_DrawID",En),ee.render(Gt[En]/vn,Ne[En])}else if(G.isInstancedMesh)ee.renderInstances(se,Ie,G.count);else if(Z.isInstancedBufferGeometry){const Gt=Z._maxInstanceCount!==void 0?Z._maxInstanceCount:1/0,Ne=Math.min(Z.instanceCount,Gt);ee.renderInstances(se,Ie,Ne)}else ee.render(se,Ie)};function Te(y,H,Z){y.transparent===!0&&y.side===ii&&y.forceSinglePass===!1?(y.side=Bn,y.needsUpdate=!0,gs(y,H,Z),y.side=ds,y.needsUpdate=!0,gs(y,H,Z),y.side=ii):gs(y,H,Z)}this.compile=function(y,H,Z=null){Z===null&&(Z=y),d=It.get(Z),d.init(H),A.push(d),Z.traverseVisible(function(G){G.isLight&&G.layers.test(H.layers)&&(d.pushLight(G),G.castShadow&&d.pushShadow(G))}),y!==Z&&y.traverseVisible(function(G){G.isLight&&G.layers.test(H.layers)&&(d.pushLight(G),G.castShadow&&d.pushShadow(G))}),d.setupLights();const j=new Set;return y.traverse(function(G){if(!(G.isMesh||G.isPoints||G.isLine||G.isSprite))return;const ft=G.material;if(ft)if(Array.isArray(ft))for(let St=0;St<ft.length;St++){const Dt=ft[St];Te(Dt,Z,G),j.add(Dt)}else Te(ft,Z,G),j.add(ft)}),d=A.pop(),j},this.compileAsync=function(y,H,Z=null){const j=this.compile(y,H,Z);return new Promise(G=>{function ft(){if(j.forEach(function(St){Rt.get(St).currentProgram.isReady()&&j.delete(St)}),j.size===0){G(y);return}setTimeout(ft,10)}Yt.get("KHR_parallel_shader_compile")!==null?ft():setTimeout(ft,10)})};let fe=null;function dn(y){fe&&fe(y)}function Pe(){Ln.stop()}function kn(){Ln.start()}const Ln=new zd;Ln.setAnimationLoop(dn),typeof self<"u"&&Ln.setContext(self),this.setAnimationLoop=function(y){fe=y,ut.setAnimationLoop(y),y===null?Ln.stop():Ln.start()},ut.addEventListener("sessionstart",Pe),ut.addEventListener("sessionend",kn),this.render=function(y,H){if(H!==void 0&&H.isCamera!==!0){console.error("THREE.WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(L===!0)return;if(y.matrixWorldAutoUpdate===!0&&y.updateMatrixWorld(),H.parent===null&&H.matrixWorldAutoUpdate===!0&&H.updateMatrixWorld(),ut.enabled===!0&&ut.isPresenting===!0&&(ut.cameraAutoUpdate===!0&&ut.updateCamera(H),H=ut.getCamera()),y.isScene===!0&&y.onBeforeRender(S,y,H,O),d=It.get(y,A.length),d.init(H),A.push(d),et.multiplyMatrices(H.projectionMatrix,H.matrixWorldInverse),te.setFromProjectionMatrix(et,Ci,H.reversedDepth),Q=this.localClippingEnabled,jt=ht.init(this.clippingPlanes,Q),m=tt.get(y,T.length),m.init(),T.push(m),ut.enabled===!0&&ut.isPresenting===!0){const ft=S.xr.getDepthSensingMesh();ft!==null&&Mi(ft,H,-1/0,S.sortObjects)}Mi(y,H,0,S.sortObjects),m.finish(),S.sortObjects===!0&&m.sort(ot,at),$t=ut.enabled===!1||ut.isPresenting===!1||ut.hasDepthSensing()===!1,$t&&wt.addToRenderList(m,y),this.info.render.frame++,jt===!0&&ht.beginShadows();const Z=d.state.shadowsArray;Pt.render(Z,y,H),jt===!0&&ht.endShadows(),this.info.autoReset===!0&&this.info.reset();const j=m.opaque,G=m.transmissive;if(d.setupLights(),H.isArrayCamera){const ft=H.cameras;if(G.length>0)for(let St=0,Dt=ft.length;St<Dt;St++){const bt=ft[St];Ui(j,G,y,bt)}$t&&wt.render(y);for(let St=0,Dt=ft.length;St<Dt;St++){const bt=ft[St];yn(m,y,bt,bt.viewport)}}else G.length>0&&Ui(j,G,y,H),$t&&wt.render(y),yn(m,y,H);O!==null&&U===0&&(Ht.updateMultisampleRenderTarget(O),Ht.updateRenderTargetMipmap(O)),y.isScene===!0&&y.onAfterRender(S,y,H),xt.resetDefaultState(),b=-1,E=null,A.pop(),A.length>0?(d=A[A.length-1],jt===!0&&ht.setGlobalState(S.clippingPlanes,d.state.camera)):d=null,T.pop(),T.length>0?m=T[T.length-1]:m=null};function Mi(y,H,Z,j){if(y.visible===!1)return;if(y.layers.test(H.layers)){if(y.isGroup)Z=y.renderOrder;else if(y.isLOD)y.autoUpdate===!0&&y.update(H);else if(y.isLight)d.pushLight(y),y.castShadow&&d.pushShadow(y);else if(y.isSprite){if(!y.frustumCulled||te.intersectsSprite(y)){j&&Bt.setFromMatrixPosition(y.matrixWorld).applyMatrix4(et);const St=F.update(y),Dt=y.material;Dt.visible&&m.push(y,St,Dt,Z,Bt.z,null)}}else if((y.isMesh||y.isLine||y.isPoints)&&(!y.frustumCulled||te.intersectsObject(y))){const St=F.update(y),Dt=y.material;if(j&&(y.boundingSphere!==void 0?(y.boundingSphere===null&&y.computeBoundingSphere(),Bt.copy(y.boundingSphere.center)):(St.boundingSphere===null&&St.computeBoundingSphere(),Bt.copy(St.boundingSphere.center)),Bt.applyMatrix4(y.matrixWorld).applyMatrix4(et)),Array.isArray(Dt)){const bt=St.groups;for(let Wt=0,Xt=bt.length;Wt<Xt;Wt++){const zt=bt[Wt],se=Dt[zt.materialIndex];se&&se.visible&&m.push(y,St,se,Z,Bt.z,zt)}}else Dt.visible&&m.push(y,St,Dt,Z,Bt.z,null)}}const ft=y.children;for(let St=0,Dt=ft.length;St<Dt;St++)Mi(ft[St],H,Z,j)}function yn(y,H,Z,j){const G=y.opaque,ft=y.transmissive,St=y.transparent;d.setupLightsView(Z),jt===!0&&ht.setGlobalState(S.clippingPlanes,Z),j&&Ut.viewport(R.copy(j)),G.length>0&&ai(G,H,Z),ft.length>0&&ai(ft,H,Z),St.length>0&&ai(St,H,Z),Ut.buffers.depth.setTest(!0),Ut.buffers.depth.setMask(!0),Ut.buffers.color.setMask(!0),Ut.setPolygonOffset(!1)}function Ui(y,H,Z,j){if((Z.isScene===!0?Z.overrideMaterial:null)!==null)return;d.state.transmissionRenderTarget[j.id]===void 0&&(d.state.transmissionRenderTarget[j.id]=new zs(1,1,{generateMipmaps:!0,type:Yt.has("EXT_color_buffer_half_float")||Yt.has("EXT_color_buffer_float")?To:Li,minFilter:Ns,samples:4,stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,colorSpace:me.workingColorSpace}));const ft=d.state.transmissionRenderTarget[j.id],St=j.viewport||R;ft.setSize(St.z*S.transmissionResolutionScale,St.w*S.transmissionResolutionScale);const Dt=S.getRenderTarget(),bt=S.getActiveCubeFace(),Wt=S.getActiveMipmapLevel();S.setRenderTarget(ft),S.getClearColor(Y),W=S.getClearAlpha(),W<1&&S.setClearColor(16777215,.5),S.clear(),$t&&wt.render(Z);const Xt=S.toneMapping;S.toneMapping=hs;const zt=j.viewport;if(j.viewport!==void 0&&(j.viewport=void 0),d.setupLightsView(j),jt===!0&&ht.setGlobalState(S.clippingPlanes,j),ai(y,Z,j),Ht.updateMultisampleRenderTarget(ft),Ht.updateRenderTargetMipmap(ft),Yt.has("WEBGL_multisampled_render_to_texture")===!1){let se=!1;for(let de=0,Ie=H.length;de<Ie;de++){const be=H[de],ee=be.object,Gt=be.geometry,Ne=be.material,ce=be.group;if(Ne.side===ii&&ee.layers.test(j.layers)){const vn=Ne.side;Ne.side=Bn,Ne.needsUpdate=!0,Gr(ee,Z,j,Gt,Ne,ce),Ne.side=vn,Ne.needsUpdate=!0,se=!0}}se===!0&&(Ht.updateMultisampleRenderTarget(ft),Ht.updateRenderTargetMipmap(ft))}S.setRenderTarget(Dt,bt,Wt),S.setClearColor(Y,W),zt!==void 0&&(j.viewport=zt),S.toneMapping=Xt}function ai(y,H,Z){const j=H.isScene===!0?H.overrideMaterial:null;for(let G=0,ft=y.length;G<ft;G++){const St=y[G],Dt=St.object,bt=St.geometry,Wt=St.group;let Xt=St.material;Xt.allowOverride===!0&&j!==null&&(Xt=j),Dt.layers.test(Z.layers)&&Gr(Dt,H,Z,bt,Xt,Wt)}}function Gr(y,H,Z,j,G,ft){y.onBeforeRender(S,H,Z,j,G,ft),y.modelViewMatrix.multiplyMatrices(Z.matrixWorldInverse,y.matrixWorld),y.normalMatrix.getNormalMatrix(y.modelViewMatrix),G.onBeforeRender(S,H,Z,j,y,ft),G.transparent===!0&&G.side===ii&&G.forceSinglePass===!1?(G.side=Bn,G.needsUpdate=!0,S.renderBufferDirect(Z,H,j,G,y,ft),G.side=ds,G.needsUpdate=!0,S.renderBufferDirect(Z,H,j,G,y,ft),G.side=ii):S.renderBufferDirect(Z,H,j,G,y,ft),y.onAfterRender(S,H,Z,j,G,ft)}function gs(y,H,Z){H.isScene!==!0&&(H=vt);const j=Rt.get(y),G=d.state.lights,ft=d.state.shadowsArray,St=G.state.version,Dt=$.getParameters(y,G.state,ft,H,Z),bt=$.getProgramCacheKey(Dt);let Wt=j.programs;j.environment=y.isMeshStandardMaterial?H.environment:null,j.fog=H.fog,j.envMap=(y.isMeshStandardMaterial?_e:Oe).get(y.envMap||j.environment),j.envMapRotation=j.environment!==null&&y.envMap===null?H.environmentRotation:y.envMapRotation,Wt===void 0&&(y.addEventListener("dispose",st),Wt=new Map,j.programs=Wt);let Xt=Wt.get(bt);if(Xt!==void 0){if(j.currentProgram===Xt&&j.lightsStateVersion===St)return Co(y,Dt),Xt}else Dt.uniforms=$.getUniforms(y),y.onBeforeCompile(Dt,S),Xt=$.acquireProgram(Dt,bt),Wt.set(bt,Xt),j.uniforms=Dt.uniforms;const zt=j.uniforms;return(!y.isShaderMaterial&&!y.isRawShaderMaterial||y.clipping===!0)&&(zt.clippingPlanes=ht.uniform),Co(y,Dt),j.needsLights=_s(y),j.lightsStateVersion=St,j.needsLights&&(zt.ambientLightColor.value=G.state.ambient,zt.lightProbe.value=G.state.probe,zt.directionalLights.value=G.state.directional,zt.directionalLightShadows.value=G.state.directionalShadow,zt.spotLights.value=G.state.spot,zt.spotLightShadows.value=G.state.spotShadow,zt.rectAreaLights.value=G.state.rectArea,zt.ltc_1.value=G.state.rectAreaLTC1,zt.ltc_2.value=G.state.rectAreaLTC2,zt.pointLights.value=G.state.point,zt.pointLightShadows.value=G.state.pointShadow,zt.hemisphereLights.value=G.state.hemi,zt.directionalShadowMap.value=G.state.directionalShadowMap,zt.directionalShadowMatrix.value=G.state.directionalShadowMatrix,zt.spotShadowMap.value=G.state.spotShadowMap,zt.spotLightMatrix.value=G.state.spotLightMatrix,zt.spotLightMap.value=G.state.spotLightMap,zt.pointShadowMap.value=G.state.pointShadowMap,zt.pointShadowMatrix.value=G.state.pointShadowMatrix),j.currentProgram=Xt,j.uniformsList=null,Xt}function Ro(y){if(y.uniformsList===null){const H=y.currentProgram.getUniforms();y.uniformsList=xa.seqWithValue(H.seq,y.uniforms)}return y.uniformsList}function Co(y,H){const Z=Rt.get(y);Z.outputColorSpace=H.outputColorSpace,Z.batching=H.batching,Z.batchingColor=H.batchingColor,Z.instancing=H.instancing,Z.instancingColor=H.instancingColor,Z.instancingMorph=H.instancingMorph,Z.skinning=H.skinning,Z.morphTargets=H.morphTargets,Z.morphNormals=H.morphNormals,Z.morphColors=H.morphColors,Z.morphTargetsCount=H.morphTargetsCount,Z.numClippingPlanes=H.numClippingPlanes,Z.numIntersection=H.numClipIntersection,Z.vertexAlphas=H.vertexAlphas,Z.vertexTangents=H.vertexTangents,Z.toneMapping=H.toneMapping}function Ii(y,H,Z,j,G){H.isScene!==!0&&(H=vt),Ht.resetTextureUnits();const ft=H.fog,St=j.isMeshStandardMaterial?H.environment:null,Dt=O===null?S.outputColorSpace:O.isXRRenderTarget===!0?O.texture.colorSpace:Rr,bt=(j.isMeshStandardMaterial?_e:Oe).get(j.envMap||St),Wt=j.vertexColors===!0&&!!Z.attributes.color&&Z.attributes.color.itemSize===4,Xt=!!Z.attributes.tangent&&(!!j.normalMap||j.anisotropy>0),zt=!!Z.morphAttributes.position,se=!!Z.morphAttributes.normal,de=!!Z.morphAttributes.color;let Ie=hs;j.toneMapped&&(O===null||O.isXRRenderTarget===!0)&&(Ie=S.toneMapping);const be=Z.morphAttributes.position||Z.morphAttributes.normal||Z.morphAttributes.color,ee=be!==void 0?be.length:0,Gt=Rt.get(j),Ne=d.state.lights;if(jt===!0&&(Q===!0||y!==E)){const sn=y===E&&j.id===b;ht.setState(j,y,sn)}let ce=!1;j.version===Gt.__version?(Gt.needsLights&&Gt.lightsStateVersion!==Ne.state.version||Gt.outputColorSpace!==Dt||G.isBatchedMesh&&Gt.batching===!1||!G.isBatchedMesh&&Gt.batching===!0||G.isBatchedMesh&&Gt.batchingColor===!0&&G.colorTexture===null||G.isBatchedMesh&&Gt.batchingColor===!1&&G.colorTexture!==null||G.isInstancedMesh&&Gt.instancing===!1||!G.isInstancedMesh&&Gt.instancing===!0||G.isSkinnedMesh&&Gt.skinning===!1||!G.isSkinnedMesh&&Gt.skinning===!0||G.isInstancedMesh&&Gt.instancingColor===!0&&G.instanceColor===null||G.isInstancedMesh&&Gt.instancingColor===!1&&G.instanceColor!==null||G.isInstancedMesh&&Gt.instancingMorph===!0&&G.morphTexture===null||G.isInstancedMesh&&Gt.instancingMorph===!1&&G.morphTexture!==null||Gt.envMap!==bt||j.fog===!0&&Gt.fog!==ft||Gt.numClippingPlanes!==void 0&&(Gt.numClippingPlanes!==ht.numPlanes||Gt.numIntersection!==ht.numIntersection)||Gt.vertexAlphas!==Wt||Gt.vertexTangents!==Xt||Gt.morphTargets!==zt||Gt.morphNormals!==se||Gt.morphColors!==de||Gt.toneMapping!==Ie||Gt.morphTargetsCount!==ee)&&(ce=!0):(ce=!0,Gt.__version=j.version);let vn=Gt.currentProgram;ce===!0&&(vn=gs(j,H,G));let Ki=!1,En=!1,vs=!1;const Fe=vn.getUniforms(),bn=Gt.uniforms;if(Ut.useProgram(vn.program)&&(Ki=!0,En=!0,vs=!0),j.id!==b&&(b=j.id,En=!0),Ki||E!==y){Ut.buffers.depth.getReversed()&&y.reversedDepth!==!0&&(y._reversedDepth=!0,y.updateProjectionMatrix()),Fe.setValue(I,"projectionMatrix",y.projectionMatrix),Fe.setValue(I,"viewMatrix",y.matrixWorldInverse);const rn=Fe.map.cameraPosition;rn!==void 0&&rn.setValue(I,Et.setFromMatrixPosition(y.matrixWorld)),Vt.logarithmicDepthBuffer&&Fe.setValue(I,"logDepthBufFC",2/(Math.log(y.far+1)/Math.LN2)),(j.isMeshPhongMaterial||j.isMeshToonMaterial||j.isMeshLambertMaterial||j.isMeshBasicMaterial||j.isMeshStandardMaterial||j.isShaderMaterial)&&Fe.setValue(I,"isOrthographic",y.isOrthographicCamera===!0),E!==y&&(E=y,En=!0,vs=!0)}if(G.isSkinnedMesh){Fe.setOptional(I,G,"bindMatrix"),Fe.setOptional(I,G,"bindMatrixInverse");const sn=G.skeleton;sn&&(sn.boneTexture===null&&sn.computeBoneTexture(),Fe.setValue(I,"boneTexture",sn.boneTexture,Ht))}G.isBatchedMesh&&(Fe.setOptional(I,G,"batchingTexture"),Fe.setValue(I,"batchingTexture",G._matricesTexture,Ht),Fe.setOptional(I,G,"batchingIdTexture"),Fe.setValue(I,"batchingIdTexture",G._indirectTexture,Ht),Fe.setOptional(I,G,"batchingColorTexture"),G._colorsTexture!==null&&Fe.setValue(I,"batchingColorTexture",G._colorsTexture,Ht));const Un=Z.morphAttributes;if((Un.position!==void 0||Un.normal!==void 0||Un.color!==void 0)&&rt.update(G,Z,vn),(En||Gt.receiveShadow!==G.receiveShadow)&&(Gt.receiveShadow=G.receiveShadow,Fe.setValue(I,"receiveShadow",G.receiveShadow)),j.isMeshGouraudMaterial&&j.envMap!==null&&(bn.envMap.value=bt,bn.flipEnvMap.value=bt.isCubeTexture&&bt.isRenderTargetTexture===!1?-1:1),j.isMeshStandardMaterial&&j.envMap===null&&H.environment!==null&&(bn.envMapIntensity.value=H.environmentIntensity),En&&(Fe.setValue(I,"toneMappingExposure",S.toneMappingExposure),Gt.needsLights&&ja(bn,vs),ft&&j.fog===!0&&nt.refreshFogUniforms(bn,ft),nt.refreshMaterialUniforms(bn,j,J,q,d.state.transmissionRenderTarget[y.id]),xa.upload(I,Ro(Gt),bn,Ht)),j.isShaderMaterial&&j.uniformsNeedUpdate===!0&&(xa.upload(I,Ro(Gt),bn,Ht),j.uniformsNeedUpdate=!1),j.isSpriteMaterial&&Fe.setValue(I,"center",G.center),Fe.setValue(I,"modelViewMatrix",G.modelViewMatrix),Fe.setValue(I,"normalMatrix",G.normalMatrix),Fe.setValue(I,"modelMatrix",G.matrixWorld),j.isShaderMaterial||j.isRawShaderMaterial){const sn=j.uniformsGroups;for(let rn=0,ji=sn.length;rn<ji;rn++){const Zn=sn[rn];Kt.update(Zn,vn),Kt.bind(Zn,vn)}}return vn}function ja(y,H){y.ambientLightColor.needsUpdate=H,y.lightProbe.needsUpdate=H,y.directionalLights.needsUpdate=H,y.directionalLightShadows.needsUpdate=H,y.pointLights.needsUpdate=H,y.pointLightShadows.needsUpdate=H,y.spotLights.needsUpdate=H,y.spotLightShadows.needsUpdate=H,y.rectAreaLights.needsUpdate=H,y.hemisphereLights.needsUpdate=H}function _s(y){return y.isMeshLambertMaterial||y.isMeshToonMaterial||y.isMeshPhongMaterial||y.isMeshStandardMaterial||y.isShadowMaterial||y.isShaderMaterial&&y.lights===!0}this.getActiveCubeFace=function(){return C},this.getActiveMipmapLevel=function(){return U},this.getRenderTarget=function(){return O},this.setRenderTargetTextures=function(y,H,Z){const j=Rt.get(y);j.__autoAllocateDepthBuffer=y.resolveDepthBuffer===!1,j.__autoAllocateDepthBuffer===!1&&(j.__useRenderToTexture=!1),Rt.get(y.texture).__webglTexture=H,Rt.get(y.depthTexture).__webglTexture=j.__autoAllocateDepthBuffer?void 0:Z,j.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(y,H){const Z=Rt.get(y);Z.__webglFramebuffer=H,Z.__useDefaultFramebuffer=H===void 0};const Po=I.createFramebuffer();this.setRenderTarget=function(y,H=0,Z=0){O=y,C=H,U=Z;let j=!0,G=null,ft=!1,St=!1;if(y){const bt=Rt.get(y);if(bt.__useDefaultFramebuffer!==void 0)Ut.bindFramebuffer(I.FRAMEBUFFER,null),j=!1;else if(bt.__webglFramebuffer===void 0)Ht.setupRenderTarget(y);else if(bt.__hasExternalTextures)Ht.rebindTextures(y,Rt.get(y.texture).__webglTexture,Rt.get(y.depthTexture).__webglTexture);else if(y.depthBuffer){const zt=y.depthTexture;if(bt.__boundDepthTexture!==zt){if(zt!==null&&Rt.has(zt)&&(y.width!==zt.image.width||y.height!==zt.image.height))throw new Error("WebGLRenderTarget: Attached DepthTexture is initialized to the incorrect size.");Ht.setupDepthRenderbuffer(y)}}const Wt=y.texture;(Wt.isData3DTexture||Wt.isDataArrayTexture||Wt.isCompressedArrayTexture)&&(St=!0);const Xt=Rt.get(y).__webglFramebuffer;y.isWebGLCubeRenderTarget?(Array.isArray(Xt[H])?G=Xt[H][Z]:G=Xt[H],ft=!0):y.samples>0&&Ht.useMultisampledRTT(y)===!1?G=Rt.get(y).__webglMultisampledFramebuffer:Array.isArray(Xt)?G=Xt[Z]:G=Xt,R.copy(y.viewport),k.copy(y.scissor),V=y.scissorTest}else R.copy(_t).multiplyScalar(J).floor(),k.copy(Mt).multiplyScalar(J).floor(),V=gt;if(Z!==0&&(G=Po),Ut.bindFramebuffer(I.FRAMEBUFFER,G)&&j&&Ut.drawBuffers(y,G),Ut.viewport(R),Ut.scissor(k),Ut.setScissorTest(V),ft){const bt=Rt.get(y.texture);I.framebufferTexture2D(I.FRAMEBUFFER,I.COLOR_ATTACHMENT0,I.TEXTURE_CUBE_MAP_POSITIVE_X+H,bt.__webglTexture,Z)}else if(St){const bt=H;for(let Wt=0;Wt<y.textures.length;Wt++){const Xt=Rt.get(y.textures[Wt]);I.framebufferTextureLayer(I.FRAMEBUFFER,I.COLOR_ATTACHMENT0+Wt,Xt.__webglTexture,Z,bt)}}else if(y!==null&&Z!==0){const bt=Rt.get(y.texture);I.framebufferTexture2D(I.FRAMEBUFFER,I.COLOR_ATTACHMENT0,I.TEXTURE_2D,bt.__webglTexture,Z)}b=-1},this.readRenderTargetPixels=function(y,H,Z,j,G,ft,St,Dt=0){if(!(y&&y.isWebGLRenderTarget)){console.error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let bt=Rt.get(y).__webglFramebuffer;if(y.isWebGLCubeRenderTarget&&St!==void 0&&(bt=bt[St]),bt){Ut.bindFramebuffer(I.FRAMEBUFFER,bt);try{const Wt=y.textures[Dt],Xt=Wt.format,zt=Wt.type;if(!Vt.textureFormatReadable(Xt)){console.error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(!Vt.textureTypeReadable(zt)){console.error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}H>=0&&H<=y.width-j&&Z>=0&&Z<=y.height-G&&(y.textures.length>1&&I.readBuffer(I.COLOR_ATTACHMENT0+Dt),I.readPixels(H,Z,j,G,Ft.convert(Xt),Ft.convert(zt),ft))}finally{const Wt=O!==null?Rt.get(O).__webglFramebuffer:null;Ut.bindFramebuffer(I.FRAMEBUFFER,Wt)}}},this.readRenderTargetPixelsAsync=async function(y,H,Z,j,G,ft,St,Dt=0){if(!(y&&y.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let bt=Rt.get(y).__webglFramebuffer;if(y.isWebGLCubeRenderTarget&&St!==void 0&&(bt=bt[St]),bt)if(H>=0&&H<=y.width-j&&Z>=0&&Z<=y.height-G){Ut.bindFramebuffer(I.FRAMEBUFFER,bt);const Wt=y.textures[Dt],Xt=Wt.format,zt=Wt.type;if(!Vt.textureFormatReadable(Xt))throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(!Vt.textureTypeReadable(zt))throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");const se=I.createBuffer();I.bindBuffer(I.PIXEL_PACK_BUFFER,se),I.bufferData(I.PIXEL_PACK_BUFFER,ft.byteLength,I.STREAM_READ),y.textures.length>1&&I.readBuffer(I.COLOR_ATTACHMENT0+Dt),I.readPixels(H,Z,j,G,Ft.convert(Xt),Ft.convert(zt),0);const de=O!==null?Rt.get(O).__webglFramebuffer:null;Ut.bindFramebuffer(I.FRAMEBUFFER,de);const Ie=I.fenceSync(I.SYNC_GPU_COMMANDS_COMPLETE,0);return I.flush(),await Qm(I,Ie,4),I.bindBuffer(I.PIXEL_PACK_BUFFER,se),I.getBufferSubData(I.PIXEL_PACK_BUFFER,0,ft),I.deleteBuffer(se),I.deleteSync(Ie),ft}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(y,H=null,Z=0){const j=Math.pow(2,-Z),G=Math.floor(y.image.width*j),ft=Math.floor(y.image.height*j),St=H!==null?H.x:0,Dt=H!==null?H.y:0;Ht.setTexture2D(y,0),I.copyTexSubImage2D(I.TEXTURE_2D,Z,0,0,St,Dt,G,ft),Ut.unbindTexture()};const Si=I.createFramebuffer(),je=I.createFramebuffer();this.copyTextureToTexture=function(y,H,Z=null,j=null,G=0,ft=null){ft===null&&(G!==0?(yo("WebGLRenderer: copyTextureToTexture function signature has changed to support src and dst mipmap levels."),ft=G,G=0):ft=0);let St,Dt,bt,Wt,Xt,zt,se,de,Ie;const be=y.isCompressedTexture?y.mipmaps[ft]:y.image;if(Z!==null)St=Z.max.x-Z.min.x,Dt=Z.max.y-Z.min.y,bt=Z.isBox3?Z.max.z-Z.min.z:1,Wt=Z.min.x,Xt=Z.min.y,zt=Z.isBox3?Z.min.z:0;else{const Un=Math.pow(2,-G);St=Math.floor(be.width*Un),Dt=Math.floor(be.height*Un),y.isDataArrayTexture?bt=be.depth:y.isData3DTexture?bt=Math.floor(be.depth*Un):bt=1,Wt=0,Xt=0,zt=0}j!==null?(se=j.x,de=j.y,Ie=j.z):(se=0,de=0,Ie=0);const ee=Ft.convert(H.format),Gt=Ft.convert(H.type);let Ne;H.isData3DTexture?(Ht.setTexture3D(H,0),Ne=I.TEXTURE_3D):H.isDataArrayTexture||H.isCompressedArrayTexture?(Ht.setTexture2DArray(H,0),Ne=I.TEXTURE_2D_ARRAY):(Ht.setTexture2D(H,0),Ne=I.TEXTURE_2D),I.pixelStorei(I.UNPACK_FLIP_Y_WEBGL,H.flipY),I.pixelStorei(I.UNPACK_PREMULTIPLY_ALPHA_WEBGL,H.premultiplyAlpha),I.pixelStorei(I.UNPACK_ALIGNMENT,H.unpackAlignment);const ce=I.getParameter(I.UNPACK_ROW_LENGTH),vn=I.getParameter(I.UNPACK_IMAGE_HEIGHT),Ki=I.getParameter(I.UNPACK_SKIP_PIXELS),En=I.getParameter(I.UNPACK_SKIP_ROWS),vs=I.getParameter(I.UNPACK_SKIP_IMAGES);I.pixelStorei(I.UNPACK_ROW_LENGTH,be.width),I.pixelStorei(I.UNPACK_IMAGE_HEIGHT,be.height),I.pixelStorei(I.UNPACK_SKIP_PIXELS,Wt),I.pixelStorei(I.UNPACK_SKIP_ROWS,Xt),I.pixelStorei(I.UNPACK_SKIP_IMAGES,zt);const Fe=y.isDataArrayTexture||y.isData3DTexture,bn=H.isDataArrayTexture||H.isData3DTexture;if(y.isDepthTexture){const Un=Rt.get(y),sn=Rt.get(H),rn=Rt.get(Un.__renderTarget),ji=Rt.get(sn.__renderTarget);Ut.bindFramebuffer(I.READ_FRAMEBUFFER,rn.__webglFramebuffer),Ut.bindFramebuffer(I.DRAW_FRAMEBUFFER,ji.__webglFramebuffer);for(let Zn=0;Zn<bt;Zn++)Fe&&(I.framebufferTextureLayer(I.READ_FRAMEBUFFER,I.COLOR_ATTACHMENT0,Rt.get(y).__webglTexture,G,zt+Zn),I.framebufferTextureLayer(I.DRAW_FRAMEBUFFER,I.COLOR_ATTACHMENT0,Rt.get(H).__webglTexture,ft,Ie+Zn)),I.blitFramebuffer(Wt,Xt,St,Dt,se,de,St,Dt,I.DEPTH_BUFFER_BIT,I.NEAREST);Ut.bindFramebuffer(I.READ_FRAMEBUFFER,null),Ut.bindFramebuffer(I.DRAW_FRAMEBUFFER,null)}else if(G!==0||y.isRenderTargetTexture||Rt.has(y)){const Un=Rt.get(y),sn=Rt.get(H);Ut.bindFramebuffer(I.READ_FRAMEBUFFER,Si),Ut.bindFramebuffer(I.DRAW_FRAMEBUFFER,je);for(let rn=0;rn<bt;rn++)Fe?I.framebufferTextureLayer(I.READ_FRAMEBUFFER,I.COLOR_ATTACHMENT0,Un.__webglTexture,G,zt+rn):I.framebufferTexture2D(I.READ_FRAMEBUFFER,I.COLOR_ATTACHMENT0,I.TEXTURE_2D,Un.__webglTexture,G),bn?I.framebufferTextureLayer(I.DRAW_FRAMEBUFFER,I.COLOR_ATTACHMENT0,sn.__webglTexture,ft,Ie+rn):I.framebufferTexture2D(I.DRAW_FRAMEBUFFER,I.COLOR_ATTACHMENT0,I.TEXTURE_2D,sn.__webglTexture,ft),G!==0?I.blitFramebuffer(Wt,Xt,St,Dt,se,de,St,Dt,I.COLOR_BUFFER_BIT,I.NEAREST):bn?I.copyTexSubImage3D(Ne,ft,se,de,Ie+rn,Wt,Xt,St,Dt):I.copyTexSubImage2D(Ne,ft,se,de,Wt,Xt,St,Dt);Ut.bindFramebuffer(I.READ_FRAMEBUFFER,null),Ut.bindFramebuffer(I.DRAW_FRAMEBUFFER,null)}else bn?y.isDataTexture||y.isData3DTexture?I.texSubImage3D(Ne,ft,se,de,Ie,St,Dt,bt,ee,Gt,be.data):H.isCompressedArrayTexture?I.compressedTexSubImage3D(Ne,ft,se,de,Ie,St,Dt,bt,ee,be.data):I.texSubImage3D(Ne,ft,se,de,Ie,St,Dt,bt,ee,Gt,be):y.isDataTexture?I.texSubImage2D(I.TEXTURE_2D,ft,se,de,St,Dt,ee,Gt,be.data):y.isCompressedTexture?I.compressedTexSubImage2D(I.TEXTURE_2D,ft,se,de,be.width,be.height,ee,be.data):I.texSubImage2D(I.TEXTURE_2D,ft,se,de,St,Dt,ee,Gt,be);I.pixelStorei(I.UNPACK_ROW_LENGTH,ce),I.pixelStorei(I.UNPACK_IMAGE_HEIGHT,vn),I.pixelStorei(I.UNPACK_SKIP_PIXELS,Ki),I.pixelStorei(I.UNPACK_SKIP_ROWS,En),I.pixelStorei(I.UNPACK_SKIP_IMAGES,vs),ft===0&&H.generateMipmaps&&I.generateMipmap(Ne),Ut.unbindTexture()},this.initRenderTarget=function(y){Rt.get(y).__webglFramebuffer===void 0&&Ht.setupRenderTarget(y)},this.initTexture=function(y){y.isCubeTexture?Ht.setTextureCube(y,0):y.isData3DTexture?Ht.setTexture3D(y,0):y.isDataArrayTexture||y.isCompressedArrayTexture?Ht.setTexture2DArray(y,0):Ht.setTexture2D(y,0),Ut.unbindTexture()},this.resetState=function(){C=0,U=0,O=null,Ut.reset(),xt.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return Ci}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(t){this._outputColorSpace=t;const e=this.getContext();e.drawingBufferColorSpace=me._getDrawingBufferColorSpace(t),e.unpackColorSpace=me._getUnpackColorSpace()}}const vh=["none","stress","strain","pressure"],kl={none:"",stress:"von Mises stress",strain:"equivalent strain",pressure:"contact pressure"};function TM(i){const t=r=>{const o=.098+.05*(2*r-1)**2,a=(310-205*r)*Math.PI/180;return[.27+.64*r,o*Math.cos(a),o*Math.sin(a)]},n=[0];for(let r=1;r<=1024;++r){const[o,a]=[t((r-1)/1024),t(r/1024)];n.push(n[r-1]+Math.hypot(a[0]-o[0],a[1]-o[1],a[2]-o[2]))}const s=new Uint8ClampedArray(4*i);for(let r=0,o=0;r<i;++r){for(;o<1024&&n[o]<r/(i-1)*n[1024];)++o;s.set([...wM(...t(o/1024)),255],4*r)}return s}function wM(i,t,e){const n=(i+.3963377774*t+.2158037573*e)**3,s=(i-.1055613458*t-.0638541728*e)**3,r=(i-.0894841775*t-1.291485548*e)**3;return[4.0767416621*n-3.3077115913*s+.2309699292*r,-1.2684380046*n+2.6097574011*s-.3413193965*r,-.0041960863*n-.7034186147*s+1.707614701*r].map(o=>255*(o<=.0031308?12.92*o:1.055*o**(1/2.4)-.055))}const Ma=256,uf=TM(Ma);function ff(i){const t=10**Math.floor(Math.log10(i));return t*([1,2,5,10].find(e=>e*t>=i*(1-1e-6))??10)}function AM(i,t){return i==="strain"?["%",100]:t>=1e9?["GPa",1e-9]:t>=1e6?["MPa",1e-6]:t>=1e3?["kPa",.001]:["Pa",1]}const RM=2e3,CM=.001,PM={none:0,stress:1,strain:1e-6,pressure:1};class DM{texture=new Id(new Uint8Array(uf),Ma,1);legend=document.querySelector("#scale");caption=document.querySelector("#scale-caption");bar=document.querySelector("#scale-bar");ticks=document.querySelector("#scale-ticks");chosen="none";most=0;largest=0;fixed=!1;smallSince=0;constructor(){this.texture.colorSpace=qn,this.texture.magFilter=this.texture.minFilter=_i,this.texture.needsUpdate=!0,this.bar.width=Ma,this.bar.height=1;const t=this.bar.getContext("2d").createImageData(Ma,1);t.data.set(uf),this.bar.getContext("2d").putImageData(t,0,0)}get quantity(){return this.chosen}set quantity(t){this.chosen=t,this.reset()}reset(t=0){this.fixed=t>0,this.most=this.fixed?ff(t):0,this.smallSince=this.largest=0,this.legend.hidden=this.chosen==="none",this.caption.textContent=kl[this.chosen],this.bar.hidden=this.ticks.hidden=!0}show(t,e,n){const s=vh.indexOf(this.chosen),r=e.filter(o=>o.quantity===s);s>0&&r.length>0&&this.follow(Math.max(...r.map(o=>o.most)),n),t.forEach((o,a)=>{const c=r.find(l=>l.index===a);s===0||r.length===0?o.colourPlain():c?o.colourBy(c.fractions,c.most/65535/(this.most||1),this.texture):o.colourGrey()}),this.bar.hidden=this.ticks.hidden=r.length===0,s>0&&r.length===0&&(this.caption.textContent=`no ${kl[this.chosen]} is known here`)}follow(t,e){this.largest=Math.max(this.largest,t);const n=ff(Math.max(t,CM*this.largest,PM[this.chosen]));n>=this.most&&(this.smallSince=e),(n>this.most||!this.fixed&&e-this.smallSince>RM)&&(this.most=n);const[s,r]=AM(this.chosen,this.most);this.caption.textContent=`${kl[this.chosen]} (${s})`,[0,.5,1].map(a=>String(+(a*this.most*r).toPrecision(3))).forEach((a,c)=>this.ticks.children[c].textContent=a),this.legend.dataset.most=String(this.most),this.legend.dataset.largest=String(t)}}const Wc=location.search;class LM{constructor(t){this.listener=t,this.open()}socket=null;wait=250;get connected(){return this.socket?.readyState===WebSocket.OPEN}send(t){this.connected&&this.socket.send(JSON.stringify(t))}open(){const t=new URL("live"+Wc,location.href);t.protocol=t.protocol.replace("http","ws");const e=new WebSocket(t);e.binaryType="arraybuffer",this.socket=e,e.onopen=()=>{this.wait=250,this.listener.state(!0)},e.onmessage=n=>{if(n.data instanceof ArrayBuffer)return this.listener.message(n.data);const s=JSON.parse(n.data);this.listener.notice(s.notice,s)},e.onclose=()=>{this.listener.state(!1),setTimeout(()=>this.open(),this.wait),this.wait=Math.min(2*this.wait,4e3)}}}var Wi=(i=>(i[i.open=0]="open",i[i.stick=1]="stick",i[i.slip=2]="slip",i[i.joint=3]="joint",i))(Wi||{}),Fs=(i=>(i[i.idle=0]="idle",i[i.chosen=1]="chosen",i[i.carries=2]="carries",i))(Fs||{});const Wd=(i,t)=>String.fromCharCode(i.getUint8(t),i.getUint8(t+1),i.getUint8(t+2),i.getUint8(t+3));function Xd(i){return i.byteLength>=8?Wd(new DataView(i),0):""}function xh(i){const t=new DataView(i).getUint32(4,!0),e=JSON.parse(new TextDecoder().decode(new Uint8Array(i,8,t)));let n=8+(t+3&-4);for(const s of e.bodies){const r=new Uint32Array(i,n,3*s.triangles);n+=r.byteLength;const o=new Uint32Array(i,n,2*s.segments);n+=o.byteLength,s.triangles=r,s.segments=o}return e}const mn=(i,t,e)=>new Float32Array(i,t,e);function UM(i,t,e){const n=new DataView(i),s=[];for(let r=t;r+52<=t+e;r+=52)s.push({at:mn(i,r,3),normal:mn(i,r+12,3),force:mn(i,r+24,3),mu:n.getFloat32(r+36,!0),touch:n.getUint32(r+40,!0)});return s}function IM(i,t,e){const n=new DataView(i),s=[];for(let r=t;r+88<=t+e;r+=88)s.push({position:mn(i,r,3),orientation:mn(i,r+12,4),gripPosition:mn(i,r+28,3),gripOrientation:mn(i,r+40,4),force:mn(i,r+56,3),torque:mn(i,r+68,3),body:n.getInt32(r+80,!0),taken:n.getUint32(r+84,!0)!==0});return s}function NM(i,t,e){const n=new DataView(i),s=[],r=40;for(let o=t;o+r<=t+e;){const a=n.getUint32(o+36,!0);if(o+r+12*a>t+e)break;s.push({at:mn(i,o,3),normal:mn(i,o+12,3),use:n.getUint32(o+28,!0),proxy:n.getUint32(o+32,!0),corners:mn(i,o+r,3*a)}),o+=r+12*a}return s}function FM(i,t,e){const n=new DataView(i),s=[];for(let r=t;r+32<=t+e;r+=32)s.push({centre:mn(i,r,3),half:mn(i,r+12,3),proxy:n.getUint32(r+24,!0),holds:n.getUint32(r+28,!0)!==0});return s}function Yd(i){const t=new DataView(i),e=t.getUint32(12,!0),n={generation:t.getUint32(4,!0),serial:t.getUint32(8,!0),playing:(e&1)!==0,failed:(e&2)!==0,time:t.getFloat64(16,!0),step:t.getFloat64(24,!0),speed:t.getFloat32(32,!0),rate:t.getFloat32(36,!0),bodies:[],colours:[],contacts:[],hands:[],patches:[],regions:[],samples:null,delassus:null};for(let s=40;s+8<=i.byteLength;){const r=Wd(t,s),o=t.getUint32(s+4,!0),a=s+8;r==="BODY"?n.bodies.push({index:t.getUint32(a,!0),low:mn(i,a+8,3),size:mn(i,a+20,3),fractions:new Uint16Array(i,a+32,3*t.getUint32(a+4,!0))}):r==="COLR"?n.colours.push({index:t.getUint32(a,!0),quantity:t.getUint32(a+4,!0),most:t.getFloat32(a+12,!0),fractions:new Uint16Array(i,a+16,t.getUint32(a+8,!0))}):r==="CNTC"?n.contacts=UM(i,a,o):r==="HAND"?n.hands=IM(i,a,o):r==="PTCH"?n.patches=NM(i,a,o):r==="REGN"?n.regions=FM(i,a,o):r==="SAMP"?n.samples=mn(i,a,o/4):r==="DELA"&&(n.delassus={contacts:t.getInt32(a,!0),side:t.getInt32(a+4,!0),cells:new Uint8Array(i,a+8,o-8)}),s=a+(o+3&-4)}return n}const qd="PALPREC1",OM=1<<29;class BM{recording=!1;messages=[];bytes=0;get length(){return this.messages.length}start(t){this.messages=[t],this.bytes=t.byteLength,this.recording=!0}stop(){this.recording=!1}add(t){if(this.recording){if(this.bytes+=t.byteLength,this.bytes>OM)return this.stop();this.messages.push(t)}}file(){const t=[qd];for(const e of this.messages)t.push(new Uint32Array([e.byteLength]),e);return new Blob(t,{type:"application/octet-stream"})}}class za{scenes=[];shots=[];at=0;static open(t){const e=new za,n=new DataView(t);if(t.byteLength<8||new TextDecoder().decode(new Uint8Array(t,0,8))!==qd)throw new Error("This file is not a recording of the viewer.");for(let s=8;s+4<=t.byteLength;){const r=n.getUint32(s,!0);if(s+4+r>t.byteLength)break;const o=t.slice(s+4,s+4+r),a=Xd(o);if(a==="SCEN"&&e.scenes.push(xh(o)),a==="FRAM"&&e.scenes.length>0){const c=Yd(o);c.generation===e.scenes.at(-1).generation&&e.shots.push({scene:e.scenes.length-1,frame:c})}s+=4+r}if(e.shots.length===0)throw new Error("The recording has no frames.");return e}get length(){return this.shots.length}get scene(){return this.scenes[this.shots[this.at].scene]}get time(){return this.shots[this.at].frame.time}strongest(){const t=s=>Math.hypot(s[0],s[1],s[2]);let e=0,n=0;for(const{frame:s}of this.shots){for(const r of s.contacts)e=Math.max(e,t(r.force));for(const r of s.hands)n=Math.max(n,t(r.force))}return{contact:e,hand:n}}largest(t){let e=0;for(const{frame:n}of this.shots)for(const s of n.colours)s.quantity===t&&(e=Math.max(e,s.most));return e}frame(){const{scene:t,frame:e}=this.shots[this.at],n=[],s=new Set(this.scenes[t].bodies.keys());for(let r=this.at;r>=0&&s.size>0&&this.shots[r].scene===t;--r)for(const o of this.shots[r].frame.bodies)s.delete(o.index)&&n.push(o);for(let r=this.at+1;r<this.shots.length&&s.size>0&&this.shots[r].scene===t;++r)for(const o of this.shots[r].frame.bodies)s.delete(o.index)&&n.push(o);return{...e,bodies:n}}samples(t){const e=[],{scene:n,frame:s}=this.shots[this.at];for(let r=this.at;r>=0&&this.shots[r].scene===n&&!(s.time-this.shots[r].frame.time>t);--r){const o=this.shots[r].frame.samples;o&&e.unshift(o)}return e}advanceTo(t){const e=this.at,n=this.shots[e].scene;for(;this.at+1<this.shots.length&&(this.shots[this.at+1].scene!==n||this.shots[this.at+1].frame.time<=t)&&(++this.at,this.shots[this.at].scene===n););return this.at!==e}}function df(i,t){const e=document.createElement("a");e.href=URL.createObjectURL(i),e.download=t,e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),1e4)}const oe=i=>document.getElementById(i),zM=[["contacts","Contact forces",!0],["cones","Friction cones",!1],["hands","Hand and coupling",!0],["patches","Contact patches and trust region",!0],["wireframe","Wire frame",!1]];class kM{constructor(t,e,n){this.actions=t,this.recorder=e,this.world=n,this.play.onclick=()=>t.playPause(),oe("step").onclick=()=>t.send({cmd:"step"}),oe("reset").onclick=()=>t.send({cmd:"reset"}),oe("frame").onclick=()=>t.centre(),this.follow.onclick=()=>this.toggleFollow(),this.colour.onchange=()=>t.colour(this.colour.value),this.speed.onchange=()=>t.send({cmd:"speed",value:Number(this.speed.value)}),this.scenes.onchange=()=>t.send({cmd:"scene",index:Number(this.scenes.value)}),this.record.onclick=()=>this.toggleRecording(),oe("download").onclick=()=>df(e.file(),`${this.world.bodies.length?document.title:"palp"}.palp`),oe("shot").onclick=()=>this.picture(),oe("live").onclick=()=>t.closeRecording(),this.scrub.oninput=()=>t.seek(Number(this.scrub.value)),this.files(),this.panel(),this.layerBoxes(),document.addEventListener("keydown",s=>this.shortCut(s))}play=oe("play");record=oe("record");scrub=oe("scrub");scenes=oe("scenes");speed=oe("speed");colour=oe("colour");follow=oe("follow");devices=[];setScene(t){document.title=`Palp: ${t.title}`,this.devices=t.devices,oe("about").textContent=t.description??"",oe("about").hidden=!t.description,this.scenes.replaceChildren(...t.scenes.map((e,n)=>new Option(e,String(n),!1,n===t.scene)))}setFrame(t,e){if(e||this.showPlaying(t.playing),document.activeElement!==this.speed){const n=[...this.speed.options].find(s=>Math.abs(Number(s.value)-t.speed)<.001);n&&(this.speed.value=n.value)}oe("readout").replaceChildren(...t.hands.map((n,s)=>{const r=document.createElement("div"),o=Math.hypot(n.force[0],n.force[1],n.force[2]);r.textContent=`${o.toFixed(o<9.95?2:1)} N`;const a=document.createElement("small");return a.textContent=` on ${this.devices[s]??"the hand"}`,r.append(a),r.dataset.force=String(o),r.dataset.components=n.force.join(" "),r}))}showPlaying(t){this.play.textContent=t?"Pause":"Play",this.play.setAttribute("aria-pressed",String(t))}showTimeline(t){oe("timeline").hidden=!t;for(const n of["step","reset","record","speed","scenes"])oe(n).disabled=!!t;if(!t)return;const e=t.scene.note??"";oe("note").textContent=e,oe("note").hidden=e==="",this.scrub.max=String(t.length-1),this.scrub.value=String(t.at),oe("scrub-time").textContent=`${t.time.toFixed(2)} s`,this.scrub.setAttribute("aria-valuetext",`${t.time.toFixed(2)} seconds`)}showRecording(){const t=this.recorder.recording;this.record.setAttribute("aria-pressed",String(t)),this.record.textContent=t?"Stop":"Record",oe("download").disabled=t||this.recorder.length<2}toggleRecording(){this.recorder.recording?this.recorder.stop():this.actions.startRecording(),this.showRecording()}toggleFollow(){const t=this.follow.getAttribute("aria-pressed")!=="true";this.follow.setAttribute("aria-pressed",String(t)),this.actions.follow(t)}nextColour(){this.colour.selectedIndex=(this.colour.selectedIndex+1)%vh.length,this.actions.colour(this.colour.value)}picture(){this.world.needsRender=!0,this.world.render(),this.world.canvas.toBlob(t=>t&&df(t,`${document.title}.png`),"image/png")}files(){const t=oe("file"),e=async n=>{if(n)try{this.actions.openRecording(za.open(await n.arrayBuffer()))}catch(s){Ao(s instanceof Error?s.message:String(s))}};oe("open").onclick=()=>t.click(),t.onchange=()=>void e(t.files?.[0]).then(()=>t.value=""),document.addEventListener("dragover",n=>n.preventDefault()),document.addEventListener("drop",n=>{n.preventDefault(),e(n.dataTransfer?.files[0])})}panel(){const t=oe("toggle-panel"),e=s=>{document.body.classList.toggle("panel-closed",!s),t.setAttribute("aria-expanded",String(s))},n=matchMedia("(max-width: 760px)");t.onclick=()=>e(document.body.classList.contains("panel-closed")),n.addEventListener("change",()=>e(!n.matches)),e(!n.matches)}layerBoxes(){oe("layers").replaceChildren(...zM.map(([t,e,n])=>{const s=document.createElement("label"),r=document.createElement("input");return r.type="checkbox",r.checked=n,r.onchange=()=>this.actions.layer(t,r.checked),s.className="check",s.append(r,` ${e}`),s}))}shortCut(t){if(!(t.target instanceof HTMLInputElement||t.target instanceof HTMLSelectElement||t.target instanceof HTMLButtonElement||t.ctrlKey||t.metaKey||t.altKey)){if(t.code==="Space")this.actions.playPause();else if(t.key===".")this.actions.send({cmd:"step"});else if(t.key==="0")this.actions.send({cmd:"reset"});else if(t.key==="f")this.actions.centre();else if(t.key==="v")this.toggleFollow();else if(t.key==="c")this.nextColour();else return;t.preventDefault()}}}function Ao(i,t=!1){const e=oe("trouble");e.hidden=i==="",e.textContent=i,t&&setTimeout(()=>e.hidden||=e.textContent===i,5e3)}function HM(i){const t=i/255;return[255*Math.min(1,1.6*t),255*Math.max(0,1.8*t-.8),255*(t<.5?t:Math.max(0,1.3*t-.55))]}class VM{canvas=document.querySelector("#delassus");text=document.querySelector("#delassus-text");show(t){if(!t||t.side===0){this.canvas.hidden=!0,this.text.textContent="No contact.";return}this.canvas.hidden=!1,this.canvas.width=this.canvas.height=t.side;const e=this.canvas.getContext("2d"),n=e.createImageData(t.side,t.side);for(let s=0;s<t.side*t.side;++s){const[r,o,a]=HM(t.cells[s]);n.data.set([r,o,a,255],4*s)}e.putImageData(n,0,0),this.text.textContent=`${t.contacts} contacts, ${3*t.contacts} × ${3*t.contacts}; logarithmic, over three decades.`}}const GM=200;class Kd{constructor(t,e){this.connection=t,this.onChange=e}enabled=!0;holding=!1;device=0;kinds=[];position=new N;orientation=new zn;buttons=0;changed=!1;sent=0;newest=[];see(t){this.newest=t}get hands(){return this.newest}get hand(){return this.newest[this.device]}takable(t){return(this.kinds[t]??"page")==="page"}take(t=this.takable(this.device)?this.device:this.newest.findIndex((e,n)=>this.takable(n))){const e=this.newest[t];return!e||!this.takable(t)||!this.enabled||!this.connection.connected?!1:(this.holding&&t===this.device||(this.release(),this.device=t,this.position.fromArray(e.position),this.orientation.fromArray(e.orientation),this.buttons=0,this.holding=this.changed=!0,this.onChange(!0)),!0)}release(){this.holding&&(this.holding=!1,this.connection.send({cmd:"release",device:this.device}),this.onChange(!1))}moveTo(t){this.position.copy(t),this.changed=!0}moveBy(t){this.position.add(t),this.changed=!0}turnTo(t){this.orientation.copy(t).normalize(),this.changed=!0}press(t){this.buttons=t,this.changed=!0}turnBy(t,e){this.orientation.premultiply(new zn().setFromAxisAngle(t,e)).normalize(),this.changed=!0}send(t){!this.holding||!this.changed&&t-this.sent<GM||(this.changed=!1,this.sent=t,this.connection.send({cmd:"hold",device:this.device,p:this.position.toArray(),q:this.orientation.toArray(),...this.buttons?{b:this.buttons}:{}}))}}const WM=new N(0,1.1,-.6),XM=.5,pf=50;class YM{constructor(t,e,n,s){this.world=e,this.others=s,this.tool=new Kd(n,()=>{}),this.space=e.renderer.xr.getController(t),this.space.addEventListener("connected",r=>this.source=r.data),this.space.addEventListener("disconnected",()=>{this.source=null,this.tool.release()}),this.space.addEventListener("selectstart",()=>this.take()),this.space.addEventListener("selectend",()=>this.tool.release()),this.space.addEventListener("squeezestart",()=>this.tool.press(1)),this.space.addEventListener("squeezeend",()=>this.tool.press(0))}tool;space;source=null;from=new N;turn=new zn;hand=new N;handTurn=new zn;pulsed=0;pose(){const{scene:t}=this.world;this.space.updateMatrixWorld();const e=t.worldToLocal(new N().setFromMatrixPosition(this.space.matrixWorld)),n=new zn().setFromRotationMatrix(this.space.matrixWorld);return{position:e,turn:n.premultiply(t.quaternion.clone().invert())}}take(){const{position:t,turn:e}=this.pose(),n=this.others().filter(o=>o!==this&&o.tool.holding).map(o=>o.tool.device);let s=-1,r=1/0;this.tool.hands.forEach((o,a)=>{const c=t.distanceTo(new N().fromArray(o.position));c>=r||n.includes(a)||!this.tool.takable(a)||(r=c,s=a)}),!(s<0||!this.tool.take(s))&&(this.from.copy(t),this.turn.copy(e).invert(),this.hand.copy(this.tool.position),this.handTurn.copy(this.tool.orientation))}follow(t,e){if(!this.tool.holding)return;const{position:n,turn:s}=this.pose();this.tool.moveTo(n.sub(this.from).add(this.hand)),this.tool.turnTo(s.multiply(this.turn).multiply(this.handTurn)),this.tool.send(t),this.shake(t,e)}shake(t,e){const n=this.tool.hand?.force,s=n?Math.hypot(n[0],n[1],n[2]):0;if(s<.02*e||t-this.pulsed<pf)return;this.pulsed=t,this.source?.gamepad?.hapticActuators?.[0]?.pulse(Math.min(1,s/e),pf+10)}}class qM{constructor(t,e,n,s){this.world=t;const{xr:r}=t.renderer;this.controllers=[0,1].map(o=>new YM(o,t,e,()=>this.controllers)),navigator.xr?.isSessionSupported("immersive-vr").then(o=>n.hidden=!o),n.onclick=async()=>{if(r.isPresenting)return void r.getSession()?.end();try{r.enabled=!0,await r.setSession(await navigator.xr.requestSession("immersive-vr",{optionalFeatures:["local-floor"]}))}catch(o){r.enabled=!1,Ao(`The headset cannot be used: ${o}`,!0)}},r.addEventListener("sessionstart",()=>{this.place(),n.setAttribute("aria-pressed","true"),r.setAnimationLoop(s)}),r.addEventListener("sessionend",()=>{for(const o of this.controllers)o.tool.release();t.renderer.setAnimationLoop(null),r.enabled=!1,n.setAttribute("aria-pressed","false"),t.takeBack()})}camera=new On(60,1,.05,50);controllers;get presenting(){return this.world.renderer.xr.isPresenting}setScene(t){for(const{tool:e}of this.controllers)e.kinds=t.kinds??[];this.presenting&&this.place()}see(t){for(const{tool:e}of this.controllers)e.see(t)}lose(){for(const{tool:t}of this.controllers)t.holding=!1}render(t,e){for(const n of this.controllers)n.follow(t,e);this.world.renderer.render(this.world.scene,this.camera)}place(){this.world.putOn(WM,XM)}}const mf={ArrowRight:["way",0,1],ArrowLeft:["way",0,-1],ArrowUp:["way",1,1],ArrowDown:["way",1,-1],PageUp:["way",2,1],PageDown:["way",2,-1],KeyW:["turn",0,-1],KeyS:["turn",0,1],KeyA:["turn",1,-1],KeyD:["turn",1,1],KeyE:["turn",2,1],KeyQ:["turn",2,-1]};class KM{constructor(t,e,n){this.world=t,this.tool=e,n.addEventListener("keydown",s=>{s.ctrlKey||s.metaKey||s.altKey||(s.code==="Escape"&&this.letGo(),s.code in mf&&(this.down.add(s.code),s.preventDefault()))}),n.addEventListener("keyup",s=>this.down.delete(s.code)),n.addEventListener("blur",()=>{this.down.clear(),this.letGo()})}down=new Set;byKeys=!1;last=0;apply(t){const e=Math.min(.05,(t-this.last)/1e3);this.last=t;const n={way:new N,turn:new N};for(const f of this.down){const[h,u,p]=mf[f];n[h].setComponent(u,n[h].getComponent(u)+p)}if(this.readPad(n),n.way.lengthSq()+n.turn.lengthSq()===0)return;if(!this.tool.holding){if(!this.tool.take())return;this.byKeys=!0}const{camera:s,size:r}=this.world,o=new N().setFromMatrixColumn(s.matrixWorld,0),a=new N().setFromMatrixColumn(s.matrixWorld,1),c=new N().setFromMatrixColumn(s.matrixWorld,2).negate(),l=.35*r*e;this.tool.moveBy(o.clone().multiplyScalar(l*n.way.x).addScaledVector(a,l*n.way.y).addScaledVector(c,l*n.way.z)),[o,a,c].forEach((f,h)=>{const u=1.2*e*n.turn.getComponent(h);u!==0&&this.tool.turnBy(f,u)})}rumble(t,e){if(t<.02*e)return;const n=Math.min(1,t/e);for(const s of navigator.getGamepads())s?.vibrationActuator?.playEffect("dual-rumble",{duration:60,strongMagnitude:n,weakMagnitude:.5*n}).catch(()=>{})}readPad(t){const e=n=>Math.abs(n)>.15?n:0;for(const n of navigator.getGamepads())n?.connected&&(t.way.x+=e(n.axes[0]??0),t.way.y-=e(n.axes[1]??0),t.turn.y+=e(n.axes[2]??0),t.way.z-=e(n.axes[3]??0),t.turn.z+=(n.buttons[7]?.value??0)-(n.buttons[6]?.value??0),(n.buttons[4]?.pressed||n.buttons[5]?.pressed)&&this.letGo())}letGo(){this.byKeys&&this.tool.release(),this.byKeys=!1}}const jM=!0,nn="u-",$M="uplot",ZM=nn+"hz",JM=nn+"vt",QM=nn+"title",tS=nn+"wrap",eS=nn+"under",nS=nn+"over",iS=nn+"axis",Us=nn+"off",sS=nn+"select",rS=nn+"cursor-x",oS=nn+"cursor-y",aS=nn+"cursor-pt",lS=nn+"legend",cS=nn+"live",hS=nn+"inline",uS=nn+"series",fS=nn+"marker",gf=nn+"label",dS=nn+"value",oo="width",ao="height",io="top",_f="bottom",gr="left",Hl="right",Mh="#000",vf=Mh+"0",Vl="mousemove",xf="mousedown",Gl="mouseup",Mf="mouseenter",Sf="mouseleave",yf="dblclick",pS="resize",mS="scroll",Ef="change",Ca="dppxchange",Sh="--",kr=typeof window<"u",Xc=kr?document:null,Er=kr?window:null,gS=kr?navigator:null;let xe,aa;function Yc(){let i=devicePixelRatio;xe!=i&&(xe=i,aa&&Kc(Ef,aa,Yc),aa=matchMedia(`(min-resolution: ${xe-.001}dppx) and (max-resolution: ${xe+.001}dppx)`),Os(Ef,aa,Yc),Er.dispatchEvent(new CustomEvent(Ca)))}function Yn(i,t){if(t!=null){let e=i.classList;!e.contains(t)&&e.add(t)}}function qc(i,t){let e=i.classList;e.contains(t)&&e.remove(t)}function He(i,t,e){i.style[t]=e+"px"}function di(i,t,e,n){let s=Xc.createElement(i);return t!=null&&Yn(s,t),e?.insertBefore(s,n),s}function ei(i,t){return di("div",i,t)}const bf=new WeakMap;function wi(i,t,e,n,s){let r="translate("+t+"px,"+e+"px)",o=bf.get(i);r!=o&&(i.style.transform=r,bf.set(i,r),t<0||e<0||t>n||e>s?Yn(i,Us):qc(i,Us))}const Tf=new WeakMap;function wf(i,t,e){let n=t+e,s=Tf.get(i);n!=s&&(Tf.set(i,n),i.style.background=t,i.style.borderColor=e)}const Af=new WeakMap;function Rf(i,t,e,n){let s=t+""+e,r=Af.get(i);s!=r&&(Af.set(i,s),i.style.height=e+"px",i.style.width=t+"px",i.style.marginLeft=n?-t/2+"px":0,i.style.marginTop=n?-e/2+"px":0)}const yh={passive:!0},_S={...yh,capture:!0};function Os(i,t,e,n){t.addEventListener(i,e,n?_S:yh)}function Kc(i,t,e,n){t.removeEventListener(i,e,yh)}kr&&Yc();function pi(i,t,e,n){let s;e=e||0,n=n||t.length-1;let r=n<=2147483647;for(;n-e>1;)s=r?e+n>>1:jn((e+n)/2),t[s]<i?e=s:n=s;return i-t[e]<=t[n]-i?e:n}function jd(i){return(e,n,s)=>{let r=-1,o=-1;for(let a=n;a<=s;a++)if(i(e[a])){r=a;break}for(let a=s;a>=n;a--)if(i(e[a])){o=a;break}return[r,o]}}const $d=i=>i!=null,Zd=i=>i!=null&&i>0,ka=jd($d),vS=jd(Zd);function xS(i,t,e,n=0,s=!1){let r=s?vS:ka,o=s?Zd:$d;[t,e]=r(i,t,e);let a=i[t],c=i[t];if(t>-1)if(n==1)a=i[t],c=i[e];else if(n==-1)a=i[e],c=i[t];else for(let l=t;l<=e;l++){let f=i[l];o(f)&&(f<a?a=f:f>c&&(c=f))}return[a??De,c??-De]}function Ha(i,t,e,n){let s=Df(i),r=Df(t);i==t&&(s==-1?(i*=e,t/=e):(i/=e,t*=e));let o=e==10?Yi:Jd,a=s==1?jn:ni,c=r==1?ni:jn,l=a(o(Je(i))),f=c(o(Je(t))),h=Pr(e,l),u=Pr(e,f);return e==10&&(l<0&&(h=Le(h,-l)),f<0&&(u=Le(u,-f))),n||e==2?(i=h*s,t=u*r):(i=np(i,h),t=Va(t,u)),[i,t]}function Eh(i,t,e,n){let s=Ha(i,t,e,n);return i==0&&(s[0]=0),t==0&&(s[1]=0),s}const bh=.1,Cf={mode:3,pad:bh},fo={pad:0,soft:null,mode:0},MS={min:fo,max:fo};function Pa(i,t,e,n){return Ga(e)?Pf(i,t,e):(fo.pad=e,fo.soft=n?0:null,fo.mode=n?3:0,Pf(i,t,MS))}function ge(i,t){return i??t}function SS(i,t,e){for(t=ge(t,0),e=ge(e,i.length-1);t<=e;){if(i[t]!=null)return!0;t++}return!1}function Pf(i,t,e){let n=e.min,s=e.max,r=ge(n.pad,0),o=ge(s.pad,0),a=ge(n.hard,-De),c=ge(s.hard,De),l=ge(n.soft,De),f=ge(s.soft,-De),h=ge(n.mode,0),u=ge(s.mode,0),p=t-i,_=Yi(p),x=Cn(Je(i),Je(t)),m=Yi(x),d=Je(m-_);(p<1e-24||d>10)&&(p=0,(i==0||t==0)&&(p=1e-24,h==2&&l!=De&&(r=0),u==2&&f!=-De&&(o=0)));let T=p||x||1e3,A=Yi(T),S=Pr(10,jn(A)),L=T*(p==0?i==0?.1:1:r),C=Le(np(i-L,S/10),24),U=i>=l&&(h==1||h==3&&C<=l||h==2&&C>=l)?l:De,O=Cn(a,C<U&&i>=U?U:mi(U,C)),b=T*(p==0?t==0?.1:1:o),E=Le(Va(t+b,S/10),24),R=t<=f&&(u==1||u==3&&E>=f||u==2&&E<=f)?f:-De,k=mi(c,E>R&&t<=R?R:Cn(R,E));return O==k&&O==0&&(k=100),[O,k]}const yS=new Intl.NumberFormat(kr?gS.language:"en-US"),Th=i=>yS.format(i),$n=Math,Sa=$n.PI,Je=$n.abs,jn=$n.floor,Ze=$n.round,ni=$n.ceil,mi=$n.min,Cn=$n.max,Pr=$n.pow,Df=$n.sign,Yi=$n.log10,Jd=$n.log2,ES=(i,t=1)=>$n.sinh(i)*t,Wl=(i,t=1)=>$n.asinh(i/t),De=1/0;function Lf(i){return(Yi((i^i>>31)-(i>>31))|0)+1}function jc(i,t,e){return mi(Cn(i,t),e)}function Qd(i){return typeof i=="function"}function he(i){return Qd(i)?i:()=>i}const bS=()=>{},tp=i=>i,ep=(i,t)=>t,TS=i=>null,Uf=i=>!0,If=(i,t)=>i==t,wS=/\.\d*?(?=9{6,}|0{6,})/gm,Hs=i=>{if(sp(i)||ms.has(i))return i;const t=`${i}`,e=t.match(wS);if(e==null)return i;let n=e[0].length-1;if(t.indexOf("e-")!=-1){let[s,r]=t.split("e");return+`${Hs(s)}e${r}`}return Le(i,n)};function Cs(i,t){return Hs(Le(Hs(i/t))*t)}function Va(i,t){return Hs(ni(Hs(i/t))*t)}function np(i,t){return Hs(jn(Hs(i/t))*t)}function Le(i,t=0){if(sp(i))return i;let e=10**t,n=i*e*(1+Number.EPSILON);return Ze(n)/e}const ms=new Map;function ip(i){return((""+i).split(".")[1]||"").length}function Eo(i,t,e,n){let s=[],r=n.map(ip);for(let o=t;o<e;o++){let a=Je(o),c=Le(Pr(i,o),a);for(let l=0;l<n.length;l++){let f=i==10?+`${n[l]}e${o}`:n[l]*c,h=(o>=0?0:a)+(o>=r[l]?0:r[l]),u=i==10?f:Le(f,h);s.push(u),ms.set(u,h)}}return s}const po={},wh=[],Dr=[null,null],os=Array.isArray,sp=Number.isInteger,AS=i=>i===void 0;function Nf(i){return typeof i=="string"}function Ga(i){let t=!1;if(i!=null){let e=i.constructor;t=e==null||e==Object}return t}function RS(i){return i!=null&&typeof i=="object"}const CS=Object.getPrototypeOf(Uint8Array),rp="__proto__";function Lr(i,t=Ga){let e;if(os(i)){let n=i.find(s=>s!=null);if(os(n)||t(n)){e=Array(i.length);for(let s=0;s<i.length;s++)e[s]=Lr(i[s],t)}else e=i.slice()}else if(i instanceof CS)e=i.slice();else if(t(i)){e={};for(let n in i)n!=rp&&(e[n]=Lr(i[n],t))}else e=i;return e}function Ke(i){let t=arguments;for(let e=1;e<t.length;e++){let n=t[e];for(let s in n)s!=rp&&(Ga(i[s])?Ke(i[s],Lr(n[s])):i[s]=Lr(n[s]))}return i}const PS=0,DS=1,LS=2;function US(i,t,e){for(let n=0,s,r=-1;n<t.length;n++){let o=t[n];if(o>r){for(s=o-1;s>=0&&i[s]==null;)i[s--]=null;for(s=o+1;s<e&&i[s]==null;)i[r=s++]=null}}}function IS(i,t){if(OS(i)){let o=i[0].slice();for(let a=1;a<i.length;a++)o.push(...i[a].slice(1));return BS(o[0])||(o=FS(o)),o}let e=new Set;for(let o=0;o<i.length;o++){let c=i[o][0],l=c.length;for(let f=0;f<l;f++)e.add(c[f])}let n=[Array.from(e).sort((o,a)=>o-a)],s=n[0].length,r=new Map;for(let o=0;o<s;o++)r.set(n[0][o],o);for(let o=0;o<i.length;o++){let a=i[o],c=a[0];for(let l=1;l<a.length;l++){let f=a[l],h=Array(s).fill(void 0),u=t?t[o][l]:DS,p=[];for(let _=0;_<f.length;_++){let x=f[_],m=r.get(c[_]);x===null?u!=PS&&(h[m]=x,u==LS&&p.push(m)):h[m]=x}US(h,p,s),n.push(h)}}return n}const NS=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask;function FS(i){let t=i[0],e=t.length,n=Array(e);for(let r=0;r<n.length;r++)n[r]=r;n.sort((r,o)=>t[r]-t[o]);let s=[];for(let r=0;r<i.length;r++){let o=i[r],a=Array(e);for(let c=0;c<e;c++)a[c]=o[n[c]];s.push(a)}return s}function OS(i){let t=i[0][0],e=t.length;for(let n=1;n<i.length;n++){let s=i[n][0];if(s.length!=e)return!1;if(s!=t){for(let r=0;r<e;r++)if(s[r]!=t[r])return!1}}return!0}function BS(i,t=100){const e=i.length;if(e<=1)return!0;let n=0,s=e-1;for(;n<=s&&i[n]==null;)n++;for(;s>=n&&i[s]==null;)s--;if(s<=n)return!0;const r=Cn(1,jn((s-n+1)/t));for(let o=i[n],a=n+r;a<=s;a+=r){const c=i[a];if(c!=null){if(c<=o)return!1;o=c}}return!0}const op=["January","February","March","April","May","June","July","August","September","October","November","December"],ap=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function lp(i){return i.slice(0,3)}const zS=ap.map(lp),kS=op.map(lp),HS={MMMM:op,MMM:kS,WWWW:ap,WWW:zS};function so(i){return(i<10?"0":"")+i}function VS(i){return(i<10?"00":i<100?"0":"")+i}const GS={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,t)=>t.MMMM[i.getMonth()],MMM:(i,t)=>t.MMM[i.getMonth()],MM:i=>so(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>so(i.getDate()),D:i=>i.getDate(),WWWW:(i,t)=>t.WWWW[i.getDay()],WWW:(i,t)=>t.WWW[i.getDay()],HH:i=>so(i.getHours()),H:i=>i.getHours(),h:i=>{let t=i.getHours();return t==0?12:t>12?t-12:t},AA:i=>i.getHours()>=12?"PM":"AM",aa:i=>i.getHours()>=12?"pm":"am",a:i=>i.getHours()>=12?"p":"a",mm:i=>so(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>so(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>VS(i.getMilliseconds())};function Ah(i,t){t=t||HS;let e=[],n=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=n.exec(i);)e.push(s[0][0]=="{"?GS[s[1]]:s[0]);return r=>{let o="";for(let a=0;a<e.length;a++)o+=typeof e[a]=="string"?e[a]:e[a](r,t);return o}}const WS=new Intl.DateTimeFormat().resolvedOptions().timeZone;function XS(i,t){let e;return t=="UTC"||t=="Etc/UTC"?e=new Date(+i+i.getTimezoneOffset()*6e4):t==WS?e=i:(e=new Date(i.toLocaleString("en-US",{timeZone:t})),e.setMilliseconds(i.getMilliseconds())),e}const cp=i=>i%1==0,Da=[1,2,2.5,5],YS=Eo(10,-32,0,Da),hp=Eo(10,0,32,Da),qS=hp.filter(cp),Ps=YS.concat(hp),Rh=`
`,up="{YYYY}",Ff=Rh+up,fp="{M}/{D}",lo=Rh+fp,la=lo+"/{YY}",dp="{aa}",KS="{h}:{mm}",_r=KS+dp,Of=Rh+_r,Bf=":{ss}",Se=null;function pp(i){let t=i*1e3,e=t*60,n=e*60,s=n*24,r=s*30,o=s*365,c=(i==1?Eo(10,0,3,Da).filter(cp):Eo(10,-3,0,Da)).concat([t,t*5,t*10,t*15,t*30,e,e*5,e*10,e*15,e*30,n,n*2,n*3,n*4,n*6,n*8,n*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,r,r*2,r*3,r*4,r*6,o,o*2,o*5,o*10,o*25,o*50,o*100]);const l=[[o,up,Se,Se,Se,Se,Se,Se,1],[s*28,"{MMM}",Ff,Se,Se,Se,Se,Se,1],[s,fp,Ff,Se,Se,Se,Se,Se,1],[n,"{h}"+dp,la,Se,lo,Se,Se,Se,1],[e,_r,la,Se,lo,Se,Se,Se,1],[t,Bf,la+" "+_r,Se,lo+" "+_r,Se,Of,Se,1],[i,Bf+".{fff}",la+" "+_r,Se,lo+" "+_r,Se,Of,Se,1]];function f(h){return(u,p,_,x,m,d)=>{let T=[],A=m>=o,S=m>=r&&m<o,L=h(_),C=Le(L*i,3),U=Xl(L.getFullYear(),A?0:L.getMonth(),S||A?1:L.getDate()),O=Le(U*i,3);if(S||A){let b=S?m/r:0,E=A?m/o:0,R=C==O?C:Le(Xl(U.getFullYear()+E,U.getMonth()+b,1)*i,3),k=new Date(Ze(R/i)),V=k.getFullYear(),Y=k.getMonth();for(let W=0;R<=x;W++){let K=Xl(V+E*W,Y+b*W,1),q=K-h(Le(K*i,3));R=Le((+K+q)*i,3),R<=x&&T.push(R)}}else{let b=m>=s?s:m,E=jn(_)-jn(C),R=O+E+Va(C-O,b);T.push(R);let k=h(R),V=k.getHours()+k.getMinutes()/e+k.getSeconds()/n,Y=m/n,W=u.axes[p]._space,K=d/W;for(;R=Le(R+m,i==1?0:3),!(R>x);)if(Y>1){let q=jn(Le(V+Y,6))%24,at=h(R).getHours()-q;at>1&&(at=-1),R-=at*n,V=(V+Y)%24;let _t=T[T.length-1];Le((R-_t)/m,3)*K>=.7&&T.push(R)}else T.push(R)}return T}}return[c,l,f]}const[jS,$S,ZS]=pp(1),[JS,QS,ty]=pp(.001);Eo(2,-53,53,[1]);function zf(i,t){return i.map(e=>e.map((n,s)=>s==0||s==8||n==null?n:t(s==1||e[8]==0?n:e[1]+n)))}function kf(i,t){return(e,n,s,r,o)=>{let a=t.find(_=>o>=_[0])||t[t.length-1],c,l,f,h,u,p;return n.map(_=>{let x=i(_),m=x.getFullYear(),d=x.getMonth(),T=x.getDate(),A=x.getHours(),S=x.getMinutes(),L=x.getSeconds(),C=m!=c&&a[2]||d!=l&&a[3]||T!=f&&a[4]||A!=h&&a[5]||S!=u&&a[6]||L!=p&&a[7]||a[1];return c=m,l=d,f=T,h=A,u=S,p=L,C(x)})}}function ey(i,t){let e=Ah(t);return(n,s,r,o,a)=>s.map(c=>e(i(c)))}function Xl(i,t,e){return new Date(i,t,e)}function Hf(i,t){return t(i)}const ny="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function Vf(i,t){return(e,n,s,r)=>r==null?Sh:t(i(n))}function iy(i,t){let e=i.series[t];return e.width?e.stroke(i,t):e.points.width?e.points.stroke(i,t):null}function sy(i,t){return i.series[t].fill(i,t)}const ry={show:!0,live:!0,isolate:!1,mount:bS,markers:{show:!0,width:2,stroke:iy,fill:sy,dash:"solid"},idx:null,idxs:null,values:[]};function oy(i,t){let e=i.cursor.points,n=ei(),s=e.size(i,t);He(n,oo,s),He(n,ao,s);let r=s/-2;He(n,"marginLeft",r),He(n,"marginTop",r);let o=e.width(i,t,s);return o&&He(n,"borderWidth",o),n}function ay(i,t){let e=i.series[t].points;return e._fill||e._stroke}function ly(i,t){let e=i.series[t].points;return e._stroke||e._fill}function cy(i,t){return i.series[t].points.size}const Yl=[0,0];function hy(i,t,e){return Yl[0]=t,Yl[1]=e,Yl}function ca(i,t,e,n=!0){return s=>{s.button==0&&(!n||s.target==t)&&e(s)}}function ql(i,t,e,n=!0){return s=>{(!n||s.target==t)&&e(s)}}const uy={show:!0,x:!0,y:!0,lock:!1,move:hy,points:{one:!1,show:oy,size:cy,width:0,stroke:ly,fill:ay},bind:{mousedown:ca,mouseup:ca,click:ca,dblclick:ca,mousemove:ql,mouseleave:ql,mouseenter:ql},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,t,e,n,s)=>n-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},mp={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Ch=Ke({},mp,{filter:ep}),gp=Ke({},Ch,{size:10}),_p=Ke({},mp,{show:!1}),Ph='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',vp="bold "+Ph,xp=1.5,Gf={show:!0,scale:"x",stroke:Mh,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:vp,side:2,grid:Ch,ticks:gp,border:_p,font:Ph,lineGap:xp,rotate:0},fy="Value",dy="Time",Wf={show:!0,scale:"x",auto:!1,sorted:1,min:De,max:-De,idxs:[]};function py(i,t,e,n,s){return t.map(r=>r==null?"":Th(r))}function my(i,t,e,n,s,r,o){let a=[],c=ms.get(s)||0;e=o?e:Le(Va(e,s),c);for(let l=e;l<=n;l=Le(l+s,c))a.push(Object.is(l,-0)?0:l);return a}function $c(i,t,e,n,s,r,o){const a=[],c=i.scales[i.axes[t].scale].log,l=c==10?Yi:Jd,f=jn(l(e));s=Pr(c,f),c==10&&(s=Ps[pi(s,Ps)]);let h=e,u=s*c;c==10&&(u=Ps[pi(u,Ps)]);do a.push(h),h=h+s,c==10&&!ms.has(h)&&(h=Le(h,ms.get(s))),h>=u&&(s=h,u=s*c,c==10&&(u=Ps[pi(u,Ps)]));while(h<=n);return a}function gy(i,t,e,n,s,r,o){let c=i.scales[i.axes[t].scale].asinh,l=n>c?$c(i,t,Cn(c,e),n,s):[c],f=n>=0&&e<=0?[0]:[];return(e<-c?$c(i,t,Cn(c,-n),-e,s):[c]).reverse().map(u=>-u).concat(f,l)}const Mp=/./,_y=/[12357]/,vy=/[125]/,Xf=/1/,Zc=(i,t,e,n)=>i.map((s,r)=>t==4&&s==0||r%n==0&&e.test(s.toExponential()[s<0?1:0])?s:null);function xy(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=i.scales[o],c=i.valToPos,l=r._space,f=c(10,o),h=c(9,o)-f>=l?Mp:c(7,o)-f>=l?_y:c(5,o)-f>=l?vy:Xf;if(h==Xf){let u=Je(c(1,o)-f);if(u<l)return Zc(t.slice().reverse(),a.distr,h,ni(l/u)).reverse()}return Zc(t,a.distr,h,1)}function My(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=r._space,c=i.valToPos,l=Je(c(1,o)-c(2,o));return l<a?Zc(t.slice().reverse(),3,Mp,ni(a/l)).reverse():t}function Sy(i,t,e,n){return n==null?Sh:t==null?"":Th(t)}const Yf={show:!0,scale:"y",stroke:Mh,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:vp,side:3,grid:Ch,ticks:gp,border:_p,font:Ph,lineGap:xp,rotate:0};function yy(i,t){let e=3+(i||1)*2;return Le(e*t,3)}function Ey(i,t){let{scale:e,idxs:n}=i.series[0],s=i._data[0],r=i.valToPos(s[n[0]],e,!0),o=i.valToPos(s[n[1]],e,!0),a=Je(o-r),c=i.series[t],l=a/(c.points.space*xe);return n[1]-n[0]<=l}const qf={scale:null,auto:!0,sorted:0,min:De,max:-De},Sp=(i,t,e,n,s)=>s,Kf={show:!0,auto:!0,sorted:0,gaps:Sp,alpha:1,facets:[Ke({},qf,{scale:"x"}),Ke({},qf,{scale:"y"})]},jf={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:Sp,alpha:1,points:{show:Ey,filter:null},values:null,min:De,max:-De,idxs:[],path:null,clip:null};function by(i,t,e,n,s){return e/10}const yp={time:jM,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Ty=Ke({},yp,{time:!1,ori:1}),$f={};function Ep(i,t){let e=$f[i];return e||(e={key:i,plots:[],sub(n){e.plots.push(n)},unsub(n){e.plots=e.plots.filter(s=>s!=n)},pub(n,s,r,o,a,c,l){for(let f=0;f<e.plots.length;f++)e.plots[f]!=s&&e.plots[f].pub(n,s,r,o,a,c,l)}},i!=null&&($f[i]=e)),e}const Ur=1,Jc=2;function Xs(i,t,e){const n=i.mode,s=i.series[t],r=n==2?i._data[t]:i._data,o=i.scales,a=i.bbox;let c=r[0],l=n==2?r[1]:r[t],f=n==2?o[s.facets[0].scale]:o[i.series[0].scale],h=n==2?o[s.facets[1].scale]:o[s.scale],u=a.left,p=a.top,_=a.width,x=a.height,m=i.valToPosH,d=i.valToPosV;return f.ori==0?e(s,c,l,f,h,m,d,u,p,_,x,Xa,Hr,qa,Tp,Ap):e(s,c,l,f,h,d,m,p,u,x,_,Ya,Vr,Uh,wp,Rp)}function Dh(i,t){let e=0,n=0,s=ge(i.bands,wh);for(let r=0;r<s.length;r++){let o=s[r];o.series[0]==t?e=o.dir:o.series[1]==t&&(o.dir==1?n|=1:n|=2)}return[e,n==1?-1:n==2?1:n==3?2:0]}function wy(i,t,e,n,s){let r=i.mode,o=i.series[t],a=r==2?o.facets[1].scale:o.scale,c=i.scales[a];return s==-1?c.min:s==1?c.max:c.distr==3?c.dir==1?c.min:c.max:0}function qi(i,t,e,n,s,r){return Xs(i,t,(o,a,c,l,f,h,u,p,_,x,m)=>{let d=o.pxRound;const T=l.dir*(l.ori==0?1:-1),A=l.ori==0?Hr:Vr;let S,L;T==1?(S=e,L=n):(S=n,L=e);let C=d(h(a[S],l,x,p)),U=d(u(c[S],f,m,_)),O=d(h(a[L],l,x,p)),b=d(u(r==1?f.max:f.min,f,m,_)),E=new Path2D(s);return A(E,O,b),A(E,C,b),A(E,C,U),E})}function Wa(i,t,e,n,s,r){let o=null;if(i.length>0){o=new Path2D;const a=t==0?qa:Uh;let c=e;for(let h=0;h<i.length;h++){let u=i[h];if(u[1]>u[0]){let p=u[0]-c;p>0&&a(o,c,n,p,n+r),c=u[1]}}let l=e+s-c,f=10;l>0&&a(o,c,n-f/2,l,n+r+f)}return o}function Ay(i,t,e){let n=i[i.length-1];n&&n[0]==t?n[1]=e:i.push([t,e])}function Lh(i,t,e,n,s,r,o){let a=[],c=i.length;for(let l=s==1?e:n;l>=e&&l<=n;l+=s)if(t[l]===null){let h=l,u=l;if(s==1)for(;++l<=n&&t[l]===null;)u=l;else for(;--l>=e&&t[l]===null;)u=l;let p=r(i[h]),_=u==h?p:r(i[u]),x=h-s;p=o<=0&&x>=0&&x<c?r(i[x]):p;let d=u+s;_=o>=0&&d>=0&&d<c?r(i[d]):_,_>=p&&a.push([p,_])}return a}function Zf(i){return i==0?tp:i==1?Ze:t=>Cs(t,i)}function bp(i){let t=i==0?Xa:Ya,e=i==0?(s,r,o,a,c,l)=>{s.arcTo(r,o,a,c,l)}:(s,r,o,a,c,l)=>{s.arcTo(o,r,c,a,l)},n=i==0?(s,r,o,a,c)=>{s.rect(r,o,a,c)}:(s,r,o,a,c)=>{s.rect(o,r,c,a)};return(s,r,o,a,c,l=0,f=0)=>{l==0&&f==0?n(s,r,o,a,c):(l=mi(l,a/2,c/2),f=mi(f,a/2,c/2),t(s,r+l,o),e(s,r+a,o,r+a,o+c,l),e(s,r+a,o+c,r,o+c,f),e(s,r,o+c,r,o,f),e(s,r,o,r+a,o,l),s.closePath())}}const Xa=(i,t,e)=>{i.moveTo(t,e)},Ya=(i,t,e)=>{i.moveTo(e,t)},Hr=(i,t,e)=>{i.lineTo(t,e)},Vr=(i,t,e)=>{i.lineTo(e,t)},qa=bp(0),Uh=bp(1),Tp=(i,t,e,n,s,r)=>{i.arc(t,e,n,s,r)},wp=(i,t,e,n,s,r)=>{i.arc(e,t,n,s,r)},Ap=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(t,e,n,s,r,o)},Rp=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(e,t,s,n,o,r)};function Cp(i){return(t,e,n,s,r)=>Xs(t,e,(o,a,c,l,f,h,u,p,_,x,m)=>{let{pxRound:d,points:T}=o,A,S;l.ori==0?(A=Xa,S=Tp):(A=Ya,S=wp);const L=Le(T.width*xe,3);let C=(T.size-T.width)/2*xe,U=Le(C*2,3),O=new Path2D,b=new Path2D,{left:E,top:R,width:k,height:V}=t.bbox;qa(b,E-U,R-U,k+U*2,V+U*2);const Y=W=>{if(c[W]!=null){let K=d(h(a[W],l,x,p)),q=d(u(c[W],f,m,_));A(O,K+C,q),S(O,K,q,C,0,Sa*2)}};if(r)r.forEach(Y);else for(let W=n;W<=s;W++)Y(W);return{stroke:L>0?O:null,fill:O,clip:b,flags:Ur|Jc}})}function Pp(i){return(t,e,n,s,r,o)=>{n!=s&&(r!=n&&o!=n&&i(t,e,n),r!=s&&o!=s&&i(t,e,s),i(t,e,o))}}const Ry=Pp(Hr),Cy=Pp(Vr);function Dp(i){const t=ge(i?.alignGaps,0);return(e,n,s,r)=>Xs(e,n,(o,a,c,l,f,h,u,p,_,x,m)=>{[s,r]=ka(c,s,r);let d=o.pxRound,T=V=>d(h(V,l,x,p)),A=V=>d(u(V,f,m,_)),S,L;l.ori==0?(S=Hr,L=Ry):(S=Vr,L=Cy);const C=l.dir*(l.ori==0?1:-1),U={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Ur},O=U.stroke;let b=!1;if(r-s>=x*4){let V=gt=>e.posToVal(gt,l.key,!0),Y=null,W=null,K,q,J,ot=T(a[C==1?s:r]),at=T(a[s]),_t=T(a[r]),Mt=V(C==1?at+1:_t-1);for(let gt=C==1?s:r;gt>=s&&gt<=r;gt+=C){let te=a[gt],Q=(C==1?te<Mt:te>Mt)?ot:T(te),et=c[gt];Q==ot?et!=null?(q=et,Y==null?(S(O,Q,A(q)),K=Y=W=q):q<Y?Y=q:q>W&&(W=q)):et===null&&(b=!0):(Y!=null&&L(O,ot,A(Y),A(W),A(K),A(q)),et!=null?(q=et,S(O,Q,A(q)),Y=W=K=q):(Y=W=null,et===null&&(b=!0)),ot=Q,Mt=V(ot+C))}Y!=null&&Y!=W&&J!=ot&&L(O,ot,A(Y),A(W),A(K),A(q))}else for(let V=C==1?s:r;V>=s&&V<=r;V+=C){let Y=c[V];Y===null?b=!0:Y!=null&&S(O,T(a[V]),A(Y))}let[R,k]=Dh(e,n);if(o.fill!=null||R!=0){let V=U.fill=new Path2D(O),Y=o.fillTo(e,n,o.min,o.max,R),W=A(Y),K=T(a[s]),q=T(a[r]);C==-1&&([q,K]=[K,q]),S(V,q,W),S(V,K,W)}if(!o.spanGaps){let V=[];b&&V.push(...Lh(a,c,s,r,C,T,t)),U.gaps=V=o.gaps(e,n,s,r,V),U.clip=Wa(V,l.ori,p,_,x,m)}return k!=0&&(U.band=k==2?[qi(e,n,s,r,O,-1),qi(e,n,s,r,O,1)]:qi(e,n,s,r,O,k)),U})}function Py(i){const t=ge(i.align,1),e=ge(i.ascDesc,!1),n=ge(i.alignGaps,0),s=ge(i.extend,!1);return(r,o,a,c)=>Xs(r,o,(l,f,h,u,p,_,x,m,d,T,A)=>{[a,c]=ka(h,a,c);let S=l.pxRound,{left:L,width:C}=r.bbox,U=at=>S(_(at,u,T,m)),O=at=>S(x(at,p,A,d)),b=u.ori==0?Hr:Vr;const E={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Ur},R=E.stroke,k=u.dir*(u.ori==0?1:-1);let V=O(h[k==1?a:c]),Y=U(f[k==1?a:c]),W=Y,K=Y;s&&t==-1&&(K=L,b(R,K,V)),b(R,Y,V);for(let at=k==1?a:c;at>=a&&at<=c;at+=k){let _t=h[at];if(_t==null)continue;let Mt=U(f[at]),gt=O(_t);t==1?b(R,Mt,V):b(R,W,gt),b(R,Mt,gt),V=gt,W=Mt}let q=W;s&&t==1&&(q=L+C,b(R,q,V));let[J,ot]=Dh(r,o);if(l.fill!=null||J!=0){let at=E.fill=new Path2D(R),_t=l.fillTo(r,o,l.min,l.max,J),Mt=O(_t);b(at,q,Mt),b(at,K,Mt)}if(!l.spanGaps){let at=[];at.push(...Lh(f,h,a,c,k,U,n));let _t=l.width*xe/2,Mt=e||t==1?_t:-_t,gt=e||t==-1?-_t:_t;at.forEach(te=>{te[0]+=Mt,te[1]+=gt}),E.gaps=at=l.gaps(r,o,a,c,at),E.clip=Wa(at,u.ori,m,d,T,A)}return ot!=0&&(E.band=ot==2?[qi(r,o,a,c,R,-1),qi(r,o,a,c,R,1)]:qi(r,o,a,c,R,ot)),E})}function Jf(i,t,e,n,s,r,o=De){if(i.length>1){let a=null;for(let c=0,l=1/0;c<i.length;c++)if(t[c]!==void 0){if(a!=null){let f=Je(i[c]-i[a]);f<l&&(l=f,o=Je(e(i[c],n,s,r)-e(i[a],n,s,r)))}a=c}}return o}function Dy(i){i=i||po;const t=ge(i.size,[.6,De,1]),e=i.align||0,n=i.gap||0;let s=i.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;const r=he(s),o=1-t[0],a=ge(t[1],De),c=ge(t[2],1),l=ge(i.disp,po),f=ge(i.each,p=>{}),{fill:h,stroke:u}=l;return(p,_,x,m)=>Xs(p,_,(d,T,A,S,L,C,U,O,b,E,R)=>{let k=d.pxRound,V=e,Y=n*xe,W=a*xe,K=c*xe,q,J;S.ori==0?[q,J]=r(p,_):[J,q]=r(p,_);const ot=S.dir*(S.ori==0?1:-1);let at=S.ori==0?qa:Uh,_t=S.ori==0?f:(F,$,nt,tt,It,ht,Pt)=>{f(F,$,nt,It,tt,Pt,ht)},Mt=ge(p.bands,wh).find(F=>F.series[0]==_),gt=Mt!=null?Mt.dir:0,te=d.fillTo(p,_,d.min,d.max,gt),jt=k(U(te,L,R,b)),Q,et,Et,Bt=E,vt=k(d.width*xe),$t=!1,Ue=null,I=null,ue=null,Yt=null;h!=null&&(vt==0||u!=null)&&($t=!0,Ue=h.values(p,_,x,m),I=new Map,new Set(Ue).forEach(F=>{F!=null&&I.set(F,new Path2D)}),vt>0&&(ue=u.values(p,_,x,m),Yt=new Map,new Set(ue).forEach(F=>{F!=null&&Yt.set(F,new Path2D)})));let{x0:Vt,size:Ut}=l;if(Vt!=null&&Ut!=null){V=1,T=Vt.values(p,_,x,m),Vt.unit==2&&(T=T.map(nt=>p.posToVal(O+nt*E,S.key,!0)));let F=Ut.values(p,_,x,m);Ut.unit==2?et=F[0]*E:et=C(F[0],S,E,O)-C(0,S,E,O),Bt=Jf(T,A,C,S,E,O,Bt),Et=Bt-et+Y}else Bt=Jf(T,A,C,S,E,O,Bt),Et=Bt*o+Y,et=Bt-Et;Et<1&&(Et=0),vt>=et/2&&(vt=0),Et<5&&(k=tp);let Ee=Et>0,Rt=Bt-Et-(Ee?vt:0);et=k(jc(Rt,K,W)),Q=(V==0?et/2:V==ot?0:et)-V*ot*((V==0?Y/2:0)+(Ee?vt/2:0));const Ht={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},Oe=$t?null:new Path2D;let _e=null;if(Mt!=null)_e=p.data[Mt.series[1]];else{let{y0:F,y1:$}=l;F!=null&&$!=null&&(A=$.values(p,_,x,m),_e=F.values(p,_,x,m))}let P=q*et,v=J*et;for(let F=ot==1?x:m;F>=x&&F<=m;F+=ot){let $=A[F];if($==null)continue;if(_e!=null){let mt=_e[F]??0;if($-mt==0)continue;jt=U(mt,L,R,b)}let nt=S.distr!=2||l!=null?T[F]:F,tt=C(nt,S,E,O),It=U(ge($,te),L,R,b),ht=k(tt-Q),Pt=k(Cn(It,jt)),wt=k(mi(It,jt)),rt=Pt-wt;if($!=null){let mt=$<0?v:P,Ot=$<0?P:v;$t?(vt>0&&ue[F]!=null&&at(Yt.get(ue[F]),ht,wt+jn(vt/2),et,Cn(0,rt-vt),mt,Ot),Ue[F]!=null&&at(I.get(Ue[F]),ht,wt+jn(vt/2),et,Cn(0,rt-vt),mt,Ot)):at(Oe,ht,wt+jn(vt/2),et,Cn(0,rt-vt),mt,Ot),_t(p,_,F,ht-vt/2,wt,et+vt,rt)}}return vt>0?Ht.stroke=$t?Yt:Oe:$t||(Ht._fill=d.width==0?d._fill:d._stroke??d._fill,Ht.width=0),Ht.fill=$t?I:Oe,Ht})}function Ly(i,t){const e=ge(t?.alignGaps,0);return(n,s,r,o)=>Xs(n,s,(a,c,l,f,h,u,p,_,x,m,d)=>{[r,o]=ka(l,r,o);let T=a.pxRound,A=q=>T(u(q,f,m,_)),S=q=>T(p(q,h,d,x)),L,C,U;f.ori==0?(L=Xa,U=Hr,C=Ap):(L=Ya,U=Vr,C=Rp);const O=f.dir*(f.ori==0?1:-1);let b=A(c[O==1?r:o]),E=b,R=[],k=[];for(let q=O==1?r:o;q>=r&&q<=o;q+=O)if(l[q]!=null){let ot=c[q],at=A(ot);R.push(E=at),k.push(S(l[q]))}const V={stroke:i(R,k,L,U,C,T),fill:null,clip:null,band:null,gaps:null,flags:Ur},Y=V.stroke;let[W,K]=Dh(n,s);if(a.fill!=null||W!=0){let q=V.fill=new Path2D(Y),J=a.fillTo(n,s,a.min,a.max,W),ot=S(J);U(q,E,ot),U(q,b,ot)}if(!a.spanGaps){let q=[];q.push(...Lh(c,l,r,o,O,A,e)),V.gaps=q=a.gaps(n,s,r,o,q),V.clip=Wa(q,f.ori,_,x,m,d)}return K!=0&&(V.band=K==2?[qi(n,s,r,o,Y,-1),qi(n,s,r,o,Y,1)]:qi(n,s,r,o,Y,K)),V})}function Uy(i){return Ly(Iy,i)}function Iy(i,t,e,n,s,r){const o=i.length;if(o<2)return null;const a=new Path2D;if(e(a,i[0],t[0]),o==2)n(a,i[1],t[1]);else{let c=Array(o),l=Array(o-1),f=Array(o-1),h=Array(o-1);for(let u=0;u<o-1;u++)f[u]=t[u+1]-t[u],h[u]=i[u+1]-i[u],l[u]=f[u]/h[u];c[0]=l[0];for(let u=1;u<o-1;u++)l[u]===0||l[u-1]===0||l[u-1]>0!=l[u]>0?c[u]=0:(c[u]=3*(h[u-1]+h[u])/((2*h[u]+h[u-1])/l[u-1]+(h[u]+2*h[u-1])/l[u]),isFinite(c[u])||(c[u]=0));c[o-1]=l[o-2];for(let u=0;u<o-1;u++)s(a,i[u]+h[u]/3,t[u]+c[u]*h[u]/3,i[u+1]-h[u]/3,t[u+1]-c[u+1]*h[u]/3,i[u+1],t[u+1])}return a}const Qc=new Set;function Qf(){for(let i of Qc)i.syncRect(!0)}kr&&(Os(pS,Er,Qf),Os(mS,Er,Qf,!0),Os(Ca,Er,()=>{Sn.pxRatio=xe}));const Ny=Dp(),Fy=Cp();function td(i,t,e,n){return(n?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map((r,o)=>th(r,o,t,e))}function Oy(i,t){return i.map((e,n)=>n==0?{}:Ke({},t,e))}function th(i,t,e,n){return Ke({},t==0?e:n,i)}function Lp(i,t,e){return t==null?Dr:[t,e]}const By=Lp;function zy(i,t,e){return t==null?Dr:Pa(t,e,bh,!0)}function Up(i,t,e,n){return t==null?Dr:Ha(t,e,i.scales[n].log,!1)}const ky=Up;function Ip(i,t,e,n){return t==null?Dr:Eh(t,e,i.scales[n].log,!1)}const Hy=Ip;function Vy(i,t,e,n,s){let r=Cn(Lf(i),Lf(t)),o=t-i,a=pi(s/n*o,e);do{let c=e[a],l=n*c/o;if(l>=s&&r+(c<5?ms.get(c):0)<=17)return[c,l]}while(++a<e.length);return[0,0]}function ed(i){let t,e;return i=i.replace(/(\d+)px/,(n,s)=>(t=Ze((e=+s)*xe))+"px"),[i,t,e]}function Gy(i){i.show&&[i.font,i.labelFont].forEach(t=>{let e=Le(t[2]*xe,1);t[0]=t[0].replace(/[0-9.]+px/,e+"px"),t[1]=e})}function Sn(i,t,e){const n={mode:ge(i.mode,1)},s=n.mode;function r(g,M,w,D){let z=M.valToPct(g);return D+w*(M.dir==-1?1-z:z)}function o(g,M,w,D){let z=M.valToPct(g);return D+w*(M.dir==-1?z:1-z)}function a(g,M,w,D){return M.ori==0?r(g,M,w,D):o(g,M,w,D)}n.valToPosH=r,n.valToPosV=o;let c=!1;n.status=0;const l=n.root=ei($M);if(i.id!=null&&(l.id=i.id),Yn(l,i.class),i.title){let g=ei(QM,l);g.textContent=i.title}const f=di("canvas"),h=n.ctx=f.getContext("2d"),u=ei(tS,l);Os("click",u,g=>{g.target===_&&(Be!=$s||Ve!=Zs)&&pn.click(n,g)},!0);const p=n.under=ei(eS,u);u.appendChild(f);const _=n.over=ei(nS,u);i=Lr(i);const x=+ge(i.pxAlign,1),m=Zf(x);(i.plugins||[]).forEach(g=>{g.opts&&(i=g.opts(n,i)||i)});const d=i.ms||.001,T=n.series=s==1?td(i.series||[],Wf,jf,!1):Oy(i.series||[null],Kf),A=n.axes=td(i.axes||[],Gf,Yf,!0),S=n.scales={},L=n.bands=i.bands||[];L.forEach(g=>{g.fill=he(g.fill||null),g.dir=ge(g.dir,-1)});const C=s==2?T[1].facets[0].scale:T[0].scale,U={axes:jp,series:vs},O=(i.drawOrder||["axes","series"]).map(g=>U[g]);function b(g){const M=g.distr==3?w=>Yi(w>0?w:g.clamp(n,w,g.min,g.max,g.key)):g.distr==4?w=>Wl(w,g.asinh):g.distr==100?w=>g.fwd(w):w=>w;return w=>{let D=M(w),{_min:z,_max:X}=g,it=X-z;return(D-z)/it}}function E(g){let M=S[g];if(M==null){let w=(i.scales||po)[g]||po;if(w.from!=null){E(w.from);let D=Ke({},S[w.from],w,{key:g});D.valToPct=b(D),S[g]=D}else{M=S[g]=Ke({},g==C?yp:Ty,w),M.key=g;let D=M.time,z=M.range,X=os(z);if((g!=C||s==2&&!D)&&(X&&(z[0]==null||z[1]==null)&&(z={min:z[0]==null?Cf:{mode:1,hard:z[0],soft:z[0]},max:z[1]==null?Cf:{mode:1,hard:z[1],soft:z[1]}},X=!1),!X&&Ga(z))){let it=z;z=(lt,pt,Tt)=>pt==null?Dr:Pa(pt,Tt,it)}M.range=he(z||(D?By:g==C?M.distr==3?ky:M.distr==4?Hy:Lp:M.distr==3?Up:M.distr==4?Ip:zy)),M.auto=he(X?!1:M.auto),M.clamp=he(M.clamp||by),M._min=M._max=null,M.valToPct=b(M)}}}E("x"),E("y"),s==1&&T.forEach(g=>{E(g.scale)}),A.forEach(g=>{E(g.scale)});for(let g in i.scales)E(g);const R=S[C],k=R.distr;let V,Y;R.ori==0?(Yn(l,ZM),V=r,Y=o):(Yn(l,JM),V=o,Y=r);const W={};for(let g in S){let M=S[g];(M.min!=null||M.max!=null)&&(W[g]={min:M.min,max:M.max},M.min=M.max=null)}const K=i.tzDate||(g=>new Date(Ze(g/d))),q=i.fmtDate||Ah,J=d==1?ZS(K):ty(K),ot=kf(K,zf(d==1?$S:QS,q)),at=Vf(K,Hf(ny,q)),_t=[],Mt=n.legend=Ke({},ry,i.legend),gt=n.cursor=Ke({},uy,{drag:{y:s==2}},i.cursor),te=Mt.show,jt=gt.show,Q=Mt.markers;Mt.idxs=_t,Q.width=he(Q.width),Q.dash=he(Q.dash),Q.stroke=he(Q.stroke),Q.fill=he(Q.fill);let et,Et,Bt,vt=[],$t=[],Ue,I=!1,ue={};if(Mt.live){const g=T[1]?T[1].values:null;I=g!=null,Ue=I?g(n,1,0):{_:0};for(let M in Ue)ue[M]=Sh}if(te)if(et=di("table",lS,l),Bt=di("tbody",null,et),Mt.mount(n,et),I){Et=di("thead",null,et,Bt);let g=di("tr",null,Et);di("th",null,g);for(var Yt in Ue)di("th",gf,g).textContent=Yt}else Yn(et,hS),Mt.live&&Yn(et,cS);const Vt={show:!0},Ut={show:!1};function Ee(g,M){if(M==0&&(I||!Mt.live||s==2))return Dr;let w=[],D=di("tr",uS,Bt,Bt.childNodes[M]);Yn(D,g.class),g.show||Yn(D,Us);let z=di("th",null,D);if(Q.show){let lt=ei(fS,z);if(M>0){let pt=Q.width(n,M);pt&&(lt.style.border=pt+"px "+Q.dash(n,M)+" "+Q.stroke(n,M)),lt.style.background=Q.fill(n,M)}}let X=ei(gf,z);g.label instanceof HTMLElement?X.appendChild(g.label):X.textContent=g.label,M>0&&(Q.show||(X.style.color=g.width>0?Q.stroke(n,M):Q.fill(n,M)),Ht("click",z,lt=>{if(gt._lock)return;dn(lt);let pt=T.indexOf(g);if((lt.ctrlKey||lt.metaKey)!=Mt.isolate){let Tt=T.some((At,Lt)=>Lt>0&&Lt!=pt&&At.show);T.forEach((At,Lt)=>{Lt>0&&yi(Lt,Tt?Lt==pt?Vt:Ut:Vt,!0,Ye.setSeries)})}else yi(pt,{show:!g.show},!0,Ye.setSeries)},!1),Ln&&Ht(Mf,z,lt=>{gt._lock||(dn(lt),yi(T.indexOf(g),Qs,!0,Ye.setSeries))},!1));for(var it in Ue){let lt=di("td",dS,D);lt.textContent="--",w.push(lt)}return[D,w]}const Rt=new Map;function Ht(g,M,w,D=!0){const z=Rt.get(M)||{},X=gt.bind[g](n,M,w,D);X&&(Os(g,M,z[g]=X),Rt.set(M,z))}function Oe(g,M,w){const D=Rt.get(M)||{};for(let z in D)(g==null||z==g)&&(Kc(z,M,D[z]),delete D[z]);g==null&&Rt.delete(M)}let _e=0,P=0,v=0,F=0,$=0,nt=0,tt=$,It=nt,ht=v,Pt=F,wt=0,rt=0,mt=0,Ot=0;n.bbox={};let Ft=!1,xt=!1,Kt=!1,B=!1,ut=!1,dt=!1;function Ct(g,M,w){(w||g!=n.width||M!=n.height)&&ct(g,M),Ys(!1),Kt=!0,xt=!0,qs()}function ct(g,M){n.width=_e=v=g,n.height=P=F=M,$=nt=0,Te(),fe();let w=n.bbox;wt=w.left=Cs($*xe,.5),rt=w.top=Cs(nt*xe,.5),mt=w.width=Cs(v*xe,.5),Ot=w.height=Cs(F*xe,.5)}const st=3;function Nt(){let g=!1,M=0;for(;!g;){M++;let w=qp(M),D=Kp(M);g=M==st||w&&D,g||(ct(n.width,n.height),xt=!0)}}function Zt({width:g,height:M}){Ct(g,M)}n.setSize=Zt;function Te(){let g=!1,M=!1,w=!1,D=!1;A.forEach((z,X)=>{if(z.show&&z._show){let{side:it,_size:lt}=z,pt=it%2,Tt=z.label!=null?z.labelSize:0,At=lt+Tt;At>0&&(pt?(v-=At,it==3?($+=At,D=!0):w=!0):(F-=At,it==0?(nt+=At,g=!0):M=!0))}}),Ii[0]=g,Ii[1]=w,Ii[2]=M,Ii[3]=D,v-=Si[1]+Si[3],$+=Si[3],F-=Si[2]+Si[0],nt+=Si[0]}function fe(){let g=$+v,M=nt+F,w=$,D=nt;function z(X,it){switch(X){case 1:return g+=it,g-it;case 2:return M+=it,M-it;case 3:return w-=it,w+it;case 0:return D-=it,D+it}}A.forEach((X,it)=>{if(X.show&&X._show){let lt=X.side;X._pos=z(lt,X._size),X.label!=null&&(X._lpos=z(lt,X.labelSize))}})}if(gt.dataIdx==null){let g=gt.hover,M=g.skip=new Set(g.skip??[]);M.add(void 0);let w=g.prox=he(g.prox),D=g.bias??=0;gt.dataIdx=(z,X,it,lt)=>{if(X==0)return it;let pt=it,Tt=w(z,X,it,lt)??De,At=Tt>=0&&Tt<De,Lt=R.ori==0?v:F,Jt=gt.left,ve=t[0],pe=t[X];if(M.has(pe[it])){pt=null;let ae=null,qt=null,kt;if(D==0||D==-1)for(kt=it;ae==null&&kt-- >0;)M.has(pe[kt])||(ae=kt);if(D==0||D==1)for(kt=it;qt==null&&kt++<pe.length;)M.has(pe[kt])||(qt=kt);if(ae!=null||qt!=null)if(At){let ke=ae==null?-1/0:V(ve[ae],R,Lt,0),Ge=qt==null?1/0:V(ve[qt],R,Lt,0),cn=Jt-ke,we=Ge-Jt;cn<=we?cn<=Tt&&(pt=ae):we<=Tt&&(pt=qt)}else pt=qt==null?ae:ae==null?qt:it-ae<=qt-it?ae:qt}else At&&Je(Jt-V(ve[it],R,Lt,0))>Tt&&(pt=null);return pt}}const dn=g=>{gt.event=g};gt.idxs=_t,gt._lock=!1;let Pe=gt.points;Pe.show=he(Pe.show),Pe.size=he(Pe.size),Pe.stroke=he(Pe.stroke),Pe.width=he(Pe.width),Pe.fill=he(Pe.fill);const kn=n.focus=Ke({},i.focus||{alpha:.3},gt.focus),Ln=kn.prox>=0,Mi=Ln&&Pe.one;let yn=[],Ui=[],ai=[];function Gr(g,M){let w=Pe.show(n,M);if(w instanceof HTMLElement)return Yn(w,aS),Yn(w,g.class),wi(w,-10,-10,v,F),_.insertBefore(w,yn[M]),w}function gs(g,M){if(s==1||M>0){let w=s==1&&S[g.scale].time,D=g.value;g.value=w?Nf(D)?Vf(K,Hf(D,q)):D||at:D||Sy,g.label=g.label||(w?dy:fy)}if(Mi||M>0){g.width=g.width==null?1:g.width,g.paths=g.paths||Ny||TS,g.fillTo=he(g.fillTo||wy),g.pxAlign=+ge(g.pxAlign,x),g.pxRound=Zf(g.pxAlign),g.stroke=he(g.stroke||null),g.fill=he(g.fill||null),g._stroke=g._fill=g._paths=g._focus=null;let w=yy(Cn(1,g.width),1),D=g.points=Ke({},{size:w,width:Cn(1,w*.2),stroke:g.stroke,space:w*2,paths:Fy,_stroke:null,_fill:null},g.points);D.show=he(D.show),D.filter=he(D.filter),D.fill=he(D.fill),D.stroke=he(D.stroke),D.paths=he(D.paths),D.pxAlign=g.pxAlign}if(te){let w=Ee(g,M);vt.splice(M,0,w[0]),$t.splice(M,0,w[1]),Mt.values.push(null)}if(jt){_t.splice(M,0,null);let w=null;Mi?M==0&&(w=Gr(g,M)):M>0&&(w=Gr(g,M)),yn.splice(M,0,w),Ui.splice(M,0,0),ai.splice(M,0,0)}ln("addSeries",M)}function Ro(g,M){M=M??T.length,g=s==1?th(g,M,Wf,jf):th(g,M,{},Kf),T.splice(M,0,g),gs(T[M],M)}n.addSeries=Ro;function Co(g){if(T.splice(g,1),te){Mt.values.splice(g,1),$t.splice(g,1);let M=vt.splice(g,1)[0];Oe(null,M.firstChild),M.remove()}jt&&(_t.splice(g,1),yn.splice(g,1)[0].remove(),Ui.splice(g,1),ai.splice(g,1)),ln("delSeries",g)}n.delSeries=Co;const Ii=[!1,!1,!1,!1];function ja(g,M){if(g._show=g.show,g.show){let w=g.side%2,D=S[g.scale];D==null&&(g.scale=w?T[1].scale:C,D=S[g.scale]);let z=D.time;g.size=he(g.size),g.space=he(g.space),g.rotate=he(g.rotate),os(g.incrs)&&g.incrs.forEach(it=>{!ms.has(it)&&ms.set(it,ip(it))}),g.incrs=he(g.incrs||(D.distr==2?qS:z?d==1?jS:JS:Ps)),g.splits=he(g.splits||(z&&D.distr==1?J:D.distr==3?$c:D.distr==4?gy:my)),g.stroke=he(g.stroke),g.grid.stroke=he(g.grid.stroke),g.ticks.stroke=he(g.ticks.stroke),g.border.stroke=he(g.border.stroke);let X=g.values;g.values=os(X)&&!os(X[0])?he(X):z?os(X)?kf(K,zf(X,q)):Nf(X)?ey(K,X):X||ot:X||py,g.filter=he(g.filter||(D.distr>=3&&D.log==10?xy:D.distr==3&&D.log==2?My:ep)),g.font=ed(g.font),g.labelFont=ed(g.labelFont),g._size=g.size(n,null,M,0),g._space=g._rotate=g._incrs=g._found=g._splits=g._values=null,g._size>0&&(Ii[M]=!0,g._el=ei(iS,u))}}function _s(g,M,w,D){let[z,X,it,lt]=w,pt=M%2,Tt=0;return pt==0&&(lt||X)&&(Tt=M==0&&!z||M==2&&!it?Ze(Gf.size/3):0),pt==1&&(z||it)&&(Tt=M==1&&!X||M==3&&!lt?Ze(Yf.size/2):0),Tt}const Po=n.padding=(i.padding||[_s,_s,_s,_s]).map(g=>he(ge(g,_s))),Si=n._padding=Po.map((g,M)=>g(n,M,Ii,0));let je,y=null,H=null;const Z=s==1?T[0].idxs:null;let j=null,G=!1;function ft(g,M){if(t=g??[],n.data=n._data=t,s==2){je=0;for(let w=1;w<T.length;w++)je+=t[w][0].length}else{t.length==0&&(n.data=n._data=t=[[]]),j=t[0],je=j.length;let w=t;if(k==2){w=t.slice();let D=w[0]=Array(je);for(let z=0;z<je;z++)D[z]=z}n._data=t=w}if(Ys(!0),ln("setData"),k==2&&(Kt=!0),M!==!1){let w=R;w.auto(n,G)?St():Zi(C,w.min,w.max),B=B||gt.left>=0,dt=!0,qs()}}n.setData=ft;function St(){G=!0;let g,M;s==1&&(je>0?(y=Z[0]=0,H=Z[1]=je-1,g=t[0][y],M=t[0][H],k==2?(g=y,M=H):g==M&&(k==3?[g,M]=Ha(g,g,R.log,!1):k==4?[g,M]=Eh(g,g,R.log,!1):R.time?M=g+Ze(86400/d):[g,M]=Pa(g,M,bh,!0))):(y=Z[0]=g=null,H=Z[1]=M=null)),Zi(C,g,M)}let Dt,bt,Wt,Xt,zt,se,de,Ie,be,ee;function Gt(g,M,w,D,z,X){g??=vf,w??=wh,D??="butt",z??=vf,X??="round",g!=Dt&&(h.strokeStyle=Dt=g),z!=bt&&(h.fillStyle=bt=z),M!=Wt&&(h.lineWidth=Wt=M),X!=zt&&(h.lineJoin=zt=X),D!=se&&(h.lineCap=se=D),w!=Xt&&h.setLineDash(Xt=w)}function Ne(g,M,w,D){M!=bt&&(h.fillStyle=bt=M),g!=de&&(h.font=de=g),w!=Ie&&(h.textAlign=Ie=w),D!=be&&(h.textBaseline=be=D)}function ce(g,M,w,D,z=0){if(D.length>0&&g.auto(n,G)&&(M==null||M.min==null)){let X=ge(y,0),it=ge(H,D.length-1),lt=w.min==null?xS(D,X,it,z,g.distr==3):[w.min,w.max];g.min=mi(g.min,w.min=lt[0]),g.max=Cn(g.max,w.max=lt[1])}}const vn={min:null,max:null};function Ki(){for(let D in S){let z=S[D];W[D]==null&&(z.min==null||W[C]!=null&&z.auto(n,G))&&(W[D]=vn)}for(let D in S){let z=S[D];W[D]==null&&z.from!=null&&W[z.from]!=null&&(W[D]=vn)}W[C]!=null&&Ys(!0);let g={};for(let D in W){let z=W[D];if(z!=null){let X=g[D]=Lr(S[D],RS);if(z.min!=null)Ke(X,z);else if(D!=C||s==2)if(je==0&&X.from==null){let it=X.range(n,null,null,D);X.min=it[0],X.max=it[1]}else X.min=De,X.max=-De}}if(je>0){T.forEach((D,z)=>{if(s==1){let X=D.scale,it=W[X];if(it==null)return;let lt=g[X];if(z==0){let pt=lt.range(n,lt.min,lt.max,X);lt.min=pt[0],lt.max=pt[1],y=pi(lt.min,t[0]),H=pi(lt.max,t[0]),H-y>1&&(t[0][y]<lt.min&&y++,t[0][H]>lt.max&&H--),D.min=j[y],D.max=j[H]}else D.show&&D.auto&&ce(lt,it,D,t[z],D.sorted);D.idxs[0]=y,D.idxs[1]=H}else if(z>0&&D.show&&D.auto){let[X,it]=D.facets,lt=X.scale,pt=it.scale,[Tt,At]=t[z],Lt=g[lt],Jt=g[pt];Lt!=null&&ce(Lt,W[lt],X,Tt,X.sorted),Jt!=null&&ce(Jt,W[pt],it,At,it.sorted),D.min=it.min,D.max=it.max}});for(let D in g){let z=g[D],X=W[D];if(z.from==null&&(X==null||X.min==null)){let it=z.range(n,z.min==De?null:z.min,z.max==-De?null:z.max,D);z.min=it[0],z.max=it[1]}}}for(let D in g){let z=g[D];if(z.from!=null){let X=g[z.from];if(X.min==null)z.min=z.max=null;else{let it=z.range(n,X.min,X.max,D);z.min=it[0],z.max=it[1]}}}let M={},w=!1;for(let D in g){let z=g[D],X=S[D];if(X.min!=z.min||X.max!=z.max){X.min=z.min,X.max=z.max;let it=X.distr;X._min=it==3?Yi(X.min):it==4?Wl(X.min,X.asinh):it==100?X.fwd(X.min):X.min,X._max=it==3?Yi(X.max):it==4?Wl(X.max,X.asinh):it==100?X.fwd(X.max):X.max,M[D]=w=!0}}if(w){T.forEach((D,z)=>{s==2?z>0&&M.y&&(D._paths=null):M[D.scale]&&(D._paths=null)});for(let D in M)Kt=!0,ln("setScale",D);jt&&gt.left>=0&&(B=dt=!0)}for(let D in W)W[D]=null}function En(g){let M=jc(y-1,0,je-1),w=jc(H+1,0,je-1);for(;g[M]==null&&M>0;)M--;for(;g[w]==null&&w<je-1;)w++;return[M,w]}function vs(){if(je>0){let g=T.some(M=>M._focus)&&ee!=kn.alpha;g&&(h.globalAlpha=ee=kn.alpha),T.forEach((M,w)=>{if(w>0&&M.show&&(Fe(w,!1),Fe(w,!0),M._paths==null)){let D=ee;ee!=M.alpha&&(h.globalAlpha=ee=M.alpha);let z=s==2?[0,t[w][0].length-1]:En(t[w]);M._paths=M.paths(n,w,z[0],z[1]),ee!=D&&(h.globalAlpha=ee=D)}}),T.forEach((M,w)=>{if(w>0&&M.show){let D=ee;ee!=M.alpha&&(h.globalAlpha=ee=M.alpha),M._paths!=null&&bn(w,!1);{let z=M._paths!=null?M._paths.gaps:null,X=M.points.show(n,w,y,H,z),it=M.points.filter(n,w,X,z);(X||it)&&(M.points._paths=M.points.paths(n,w,y,H,it),bn(w,!0))}ee!=D&&(h.globalAlpha=ee=D),ln("drawSeries",w)}}),g&&(h.globalAlpha=ee=1)}}function Fe(g,M){let w=M?T[g].points:T[g];w._stroke=w.stroke(n,g),w._fill=w.fill(n,g)}function bn(g,M){let w=M?T[g].points:T[g],{stroke:D,fill:z,clip:X,flags:it,_stroke:lt=w._stroke,_fill:pt=w._fill,_width:Tt=w.width}=w._paths;Tt=Le(Tt*xe,3);let At=null,Lt=Tt%2/2;M&&pt==null&&(pt=Tt>0?"#fff":lt);let Jt=w.pxAlign==1&&Lt>0;if(Jt&&h.translate(Lt,Lt),!M){let ve=wt-Tt/2,pe=rt-Tt/2,ae=mt+Tt,qt=Ot+Tt;At=new Path2D,At.rect(ve,pe,ae,qt)}M?rn(lt,Tt,w.dash,w.cap,pt,D,z,it,X):Un(g,lt,Tt,w.dash,w.cap,pt,D,z,it,At,X),Jt&&h.translate(-Lt,-Lt)}function Un(g,M,w,D,z,X,it,lt,pt,Tt,At){let Lt=!1;pt!=0&&L.forEach((Jt,ve)=>{if(Jt.series[0]==g){let pe=T[Jt.series[1]],ae=t[Jt.series[1]],qt=(pe._paths||po).band;os(qt)&&(qt=Jt.dir==1?qt[0]:qt[1]);let kt,ke=null;pe.show&&qt&&SS(ae,y,H)?(ke=Jt.fill(n,ve)||X,kt=pe._paths.clip):qt=null,rn(M,w,D,z,ke,it,lt,pt,Tt,At,kt,qt),Lt=!0}}),Lt||rn(M,w,D,z,X,it,lt,pt,Tt,At)}const sn=Ur|Jc;function rn(g,M,w,D,z,X,it,lt,pt,Tt,At,Lt){Gt(g,M,w,D,z),(pt||Tt||Lt)&&(h.save(),pt&&h.clip(pt),Tt&&h.clip(Tt)),Lt?(lt&sn)==sn?(h.clip(Lt),At&&h.clip(At),Zn(z,it),ji(g,X,M)):lt&Jc?(Zn(z,it),h.clip(Lt),ji(g,X,M)):lt&Ur&&(h.save(),h.clip(Lt),At&&h.clip(At),Zn(z,it),h.restore(),ji(g,X,M)):(Zn(z,it),ji(g,X,M)),(pt||Tt||Lt)&&h.restore()}function ji(g,M,w){w>0&&(M instanceof Map?M.forEach((D,z)=>{h.strokeStyle=Dt=z,h.stroke(D)}):M!=null&&g&&h.stroke(M))}function Zn(g,M){M instanceof Map?M.forEach((w,D)=>{h.fillStyle=bt=D,h.fill(w)}):M!=null&&g&&h.fill(M)}function Yp(g,M,w,D){let z=A[g],X;if(D<=0)X=[0,0];else{let it=z._space=z.space(n,g,M,w,D),lt=z._incrs=z.incrs(n,g,M,w,D,it);X=Vy(M,w,lt,D,it)}return z._found=X}function $a(g,M,w,D,z,X,it,lt,pt,Tt){let At=it%2/2;x==1&&h.translate(At,At),Gt(lt,it,pt,Tt,lt),h.beginPath();let Lt,Jt,ve,pe,ae=z+(D==0||D==3?-X:X);w==0?(Jt=z,pe=ae):(Lt=z,ve=ae);for(let qt=0;qt<g.length;qt++)M[qt]!=null&&(w==0?Lt=ve=g[qt]:Jt=pe=g[qt],h.moveTo(Lt,Jt),h.lineTo(ve,pe));h.stroke(),x==1&&h.translate(-At,-At)}function qp(g){let M=!0;return A.forEach((w,D)=>{if(!w.show)return;let z=S[w.scale];if(z.min==null){w._show&&(M=!1,w._show=!1,Ys(!1));return}else w._show||(M=!1,w._show=!0,Ys(!1));let X=w.side,it=X%2,{min:lt,max:pt}=z,[Tt,At]=Yp(D,lt,pt,it==0?v:F);if(At==0)return;let Lt=z.distr==2,Jt=w._splits=w.splits(n,D,lt,pt,Tt,At,Lt),ve=z.distr==2?Jt.map(kt=>j[kt]):Jt,pe=z.distr==2?j[Jt[1]]-j[Jt[0]]:Tt,ae=w._values=w.values(n,w.filter(n,ve,D,At,pe),D,At,pe);w._rotate=X==2?w.rotate(n,ae,D,At):0;let qt=w._size;w._size=ni(w.size(n,ae,D,g)),qt!=null&&w._size!=qt&&(M=!1)}),M}function Kp(g){let M=!0;return Po.forEach((w,D)=>{let z=w(n,D,Ii,g);z!=Si[D]&&(M=!1),Si[D]=z}),M}function jp(){for(let g=0;g<A.length;g++){let M=A[g];if(!M.show||!M._show)continue;let w=M.side,D=w%2,z,X,it=M.stroke(n,g),lt=w==0||w==3?-1:1,[pt,Tt]=M._found;if(M.label!=null){let wn=M.labelGap*lt,Gn=Ze((M._lpos+wn)*xe);Ne(M.labelFont[0],it,"center",w==2?io:_f),h.save(),D==1?(z=X=0,h.translate(Gn,Ze(rt+Ot/2)),h.rotate((w==3?-Sa:Sa)/2)):(z=Ze(wt+mt/2),X=Gn);let Ss=Qd(M.label)?M.label(n,g,pt,Tt):M.label;h.fillText(Ss,z,X),h.restore()}if(Tt==0)continue;let At=S[M.scale],Lt=D==0?mt:Ot,Jt=D==0?wt:rt,ve=M._splits,pe=At.distr==2?ve.map(wn=>j[wn]):ve,ae=At.distr==2?j[ve[1]]-j[ve[0]]:pt,qt=M.ticks,kt=M.border,ke=qt.show?qt.size:0,Ge=Ze(ke*xe),cn=Ze((M.alignTo==2?M._size-ke-M.gap:M.gap)*xe),we=M._rotate*-Sa/180,We=m(M._pos*xe),Hn=(Ge+cn)*lt,Tn=We+Hn;X=D==0?Tn:0,z=D==1?Tn:0;let Jn=M.font[0],li=M.align==1?gr:M.align==2?Hl:we>0?gr:we<0?Hl:D==0?"center":w==3?Hl:gr,bi=we||D==1?"middle":w==2?io:_f;Ne(Jn,it,li,bi);let Vn=M.font[1]*M.lineGap,Qn=ve.map(wn=>m(a(wn,At,Lt,Jt))),ci=M._values;for(let wn=0;wn<ci.length;wn++){let Gn=ci[wn];if(Gn!=null){D==0?z=Qn[wn]:X=Qn[wn],Gn=""+Gn;let Ss=Gn.indexOf(`
`)==-1?[Gn]:Gn.split(/\n/gm);for(let An=0;An<Ss.length;An++){let eu=Ss[An];we?(h.save(),h.translate(z,X+An*Vn),h.rotate(we),h.fillText(eu,0,0),h.restore()):h.fillText(eu,z,X+An*Vn)}}}qt.show&&$a(Qn,qt.filter(n,pe,g,Tt,ae),D,w,We,Ge,Le(qt.width*xe,3),qt.stroke(n,g),qt.dash,qt.cap);let Ti=M.grid;Ti.show&&$a(Qn,Ti.filter(n,pe,g,Tt,ae),D,D==0?2:1,D==0?rt:wt,D==0?Ot:mt,Le(Ti.width*xe,3),Ti.stroke(n,g),Ti.dash,Ti.cap),kt.show&&$a([We],[1],D==0?1:0,D==0?1:2,D==1?rt:wt,D==1?Ot:mt,Le(kt.width*xe,3),kt.stroke(n,g),kt.dash,kt.cap)}ln("drawAxes")}function Ys(g){T.forEach((M,w)=>{w>0&&(M._paths=null,g&&(s==1?(M.min=null,M.max=null):M.facets.forEach(D=>{D.min=null,D.max=null})))})}let Do=!1,Za=!1,Wr=[];function $p(){Za=!1;for(let g=0;g<Wr.length;g++)ln(...Wr[g]);Wr.length=0}function qs(){Do||(NS(Oh),Do=!0)}function Zp(g,M=!1){Do=!0,Za=M,g(n),Oh(),M&&Wr.length>0&&queueMicrotask($p)}n.batch=Zp;function Oh(){if(Ft&&(Ki(),Ft=!1),Kt&&(Nt(),Kt=!1),xt){if(He(p,gr,$),He(p,io,nt),He(p,oo,v),He(p,ao,F),He(_,gr,$),He(_,io,nt),He(_,oo,v),He(_,ao,F),He(u,oo,_e),He(u,ao,P),f.width=Ze(_e*xe),f.height=Ze(P*xe),A.forEach(({_el:g,_show:M,_size:w,_pos:D,side:z})=>{if(g!=null)if(M){let X=z===3||z===0?w:0,it=z%2==1;He(g,it?"left":"top",D-X),He(g,it?"width":"height",w),He(g,it?"top":"left",it?nt:$),He(g,it?"height":"width",it?F:v),qc(g,Us)}else Yn(g,Us)}),Dt=bt=Wt=zt=se=de=Ie=be=Xt=null,ee=1,qr(!0),$!=tt||nt!=It||v!=ht||F!=Pt){Ys(!1);let g=v/ht,M=F/Pt;if(jt&&!B&&gt.left>=0){gt.left*=g,gt.top*=M,Ks&&wi(Ks,Ze(gt.left),0,v,F),js&&wi(js,0,Ze(gt.top),v,F);for(let w=0;w<yn.length;w++){let D=yn[w];D!=null&&(Ui[w]*=g,ai[w]*=M,wi(D,ni(Ui[w]),ni(ai[w]),v,F))}}if(ze.show&&!ut&&ze.left>=0&&ze.width>0){ze.left*=g,ze.width*=g,ze.top*=M,ze.height*=M;for(let w in il)He(Js,w,ze[w])}tt=$,It=nt,ht=v,Pt=F}ln("setSize"),xt=!1}_e>0&&P>0&&(h.clearRect(0,0,f.width,f.height),ln("drawClear"),O.forEach(g=>g()),ln("draw")),ze.show&&ut&&(Lo(ze),ut=!1),jt&&B&&(Ms(null,!0,!1),B=!1),Mt.show&&Mt.live&&dt&&(el(),dt=!1),c||(c=!0,n.status=1,ln("ready")),G=!1,Do=!1}n.redraw=(g,M)=>{Kt=M||!1,g!==!1?Zi(C,R.min,R.max):qs()};function Ja(g,M){let w=S[g];if(w.from==null){if(je==0){let D=w.range(n,M.min,M.max,g);M.min=D[0],M.max=D[1]}if(M.min>M.max){let D=M.min;M.min=M.max,M.max=D}if(je>1&&M.min!=null&&M.max!=null&&M.max-M.min<1e-16)return;g==C&&w.distr==2&&je>0&&(M.min=pi(M.min,t[0]),M.max=pi(M.max,t[0]),M.min==M.max&&M.max++),W[g]=M,Ft=!0,qs()}}n.setScale=Ja;let Qa,tl,Ks,js,Bh,zh,$s,Zs,kh,Hh,Be,Ve,$i=!1;const pn=gt.drag;let on=pn.x,an=pn.y;jt&&(gt.x&&(Qa=ei(rS,_)),gt.y&&(tl=ei(oS,_)),R.ori==0?(Ks=Qa,js=tl):(Ks=tl,js=Qa),Be=gt.left,Ve=gt.top);const ze=n.select=Ke({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),Js=ze.show?ei(sS,ze.over?_:p):null;function Lo(g,M){if(ze.show){for(let w in g)ze[w]=g[w],w in il&&He(Js,w,g[w]);M!==!1&&ln("setSelect")}}n.setSelect=Lo;function Jp(g){if(T[g].show)te&&qc(vt[g],Us);else if(te&&Yn(vt[g],Us),jt){let w=Mi?yn[0]:yn[g];w!=null&&wi(w,-10,-10,v,F)}}function Zi(g,M,w){Ja(g,{min:M,max:w})}function yi(g,M,w,D){M.focus!=null&&im(g),M.show!=null&&T.forEach((z,X)=>{X>0&&(g==X||g==null)&&(z.show=M.show,Jp(X),s==2?(Zi(z.facets[0].scale,null,null),Zi(z.facets[1].scale,null,null)):Zi(z.scale,null,null),qs())}),w!==!1&&ln("setSeries",g,M),D&&Kr("setSeries",n,g,M)}n.setSeries=yi;function Qp(g,M){Ke(L[g],M)}function tm(g,M){g.fill=he(g.fill||null),g.dir=ge(g.dir,-1),M=M??L.length,L.splice(M,0,g)}function em(g){g==null?L.length=0:L.splice(g,1)}n.addBand=tm,n.setBand=Qp,n.delBand=em;function nm(g,M){T[g].alpha=M,jt&&yn[g]!=null&&(yn[g].style.opacity=M),te&&vt[g]&&(vt[g].style.opacity=M)}let Ni,Ji,xs;const Qs={focus:!0};function im(g){if(g!=xs){let M=g==null,w=kn.alpha!=1;T.forEach((D,z)=>{if(s==1||z>0){let X=M||z==0||z==g;D._focus=M?null:X,w&&nm(z,X?1:kn.alpha)}}),xs=g,w&&qs()}}te&&Ln&&Ht(Sf,et,g=>{gt._lock||(dn(g),xs!=null&&yi(null,Qs,!0,Ye.setSeries))});function Ei(g,M,w){let D=S[M];w&&(g=g/xe-(D.ori==1?nt:$));let z=v;D.ori==1&&(z=F,g=z-g),D.dir==-1&&(g=z-g);let X=D._min,it=D._max,lt=g/z,pt=X+(it-X)*lt,Tt=D.distr;return Tt==3?Pr(10,pt):Tt==4?ES(pt,D.asinh):Tt==100?D.bwd(pt):pt}function sm(g,M){let w=Ei(g,C,M);return pi(w,t[0],y,H)}n.valToIdx=g=>pi(g,t[0]),n.posToIdx=sm,n.posToVal=Ei,n.valToPos=(g,M,w)=>S[M].ori==0?r(g,S[M],w?mt:v,w?wt:0):o(g,S[M],w?Ot:F,w?rt:0),n.setCursor=(g,M,w)=>{Be=g.left,Ve=g.top,Ms(null,M,w)};function Vh(g,M){He(Js,gr,ze.left=g),He(Js,oo,ze.width=M)}function Gh(g,M){He(Js,io,ze.top=g),He(Js,ao,ze.height=M)}let Xr=R.ori==0?Vh:Gh,Yr=R.ori==1?Vh:Gh;function rm(){if(te&&Mt.live)for(let g=s==2?1:0;g<T.length;g++){if(g==0&&I)continue;let M=Mt.values[g],w=0;for(let D in M)$t[g][w++].firstChild.nodeValue=M[D]}}function el(g,M){if(g!=null&&(g.idxs?g.idxs.forEach((w,D)=>{_t[D]=w}):AS(g.idx)||_t.fill(g.idx),Mt.idx=_t[0]),te&&Mt.live){for(let w=0;w<T.length;w++)(w>0||s==1&&!I)&&om(w,_t[w]);rm()}dt=!1,M!==!1&&ln("setLegend")}n.setLegend=el;function om(g,M){let w=T[g],D=g==0&&k==2?j:t[g],z;I?z=w.values(n,g,M)??ue:(z=w.value(n,M==null?null:D[M],g,M),z=z==null?ue:{_:z}),Mt.values[g]=z}function Ms(g,M,w){kh=Be,Hh=Ve,[Be,Ve]=gt.move(n,Be,Ve),gt.left=Be,gt.top=Ve,jt&&(Ks&&wi(Ks,Ze(Be),0,v,F),js&&wi(js,0,Ze(Ve),v,F));let D,z=y>H;Ni=De,Ji=null;let X=R.ori==0?v:F,it=R.ori==1?v:F;if(Be<0||je==0||z){D=gt.idx=null;for(let lt=0;lt<T.length;lt++){let pt=yn[lt];pt!=null&&wi(pt,-10,-10,v,F)}Ln&&yi(null,Qs,!0,g==null&&Ye.setSeries),Mt.live&&(_t.fill(D),dt=!0)}else{let lt,pt,Tt;s==1&&(lt=R.ori==0?Be:Ve,pt=Ei(lt,C),D=gt.idx=pi(pt,t[0],y,H),Tt=V(t[0][D],R,X,0));let At=-10,Lt=-10,Jt=0,ve=0,pe=!0,ae="",qt="";for(let kt=s==2?1:0;kt<T.length;kt++){let ke=T[kt],Ge=_t[kt],cn=Ge==null?null:s==1?t[kt][Ge]:t[kt][1][Ge],we=gt.dataIdx(n,kt,D,pt),We=we==null?null:s==1?t[kt][we]:t[kt][1][we];if(dt=dt||We!=cn||we!=Ge,_t[kt]=we,kt>0&&ke.show){let Hn=we==null?-10:we==D?Tt:V(s==1?t[0][we]:t[kt][0][we],R,X,0),Tn=We==null?-10:Y(We,s==1?S[ke.scale]:S[ke.facets[1].scale],it,0);if(Ln&&We!=null){let Jn=R.ori==1?Be:Ve,li=Je(kn.dist(n,kt,we,Tn,Jn));if(li<Ni){let bi=kn.bias;if(bi!=0){let Vn=Ei(Jn,ke.scale),Qn=We>=0?1:-1,ci=Vn>=0?1:-1;ci==Qn&&(ci==1?bi==1?We>=Vn:We<=Vn:bi==1?We<=Vn:We>=Vn)&&(Ni=li,Ji=kt)}else Ni=li,Ji=kt}}if(dt||Mi){let Jn,li;R.ori==0?(Jn=Hn,li=Tn):(Jn=Tn,li=Hn);let bi,Vn,Qn,ci,Ti,wn,Gn=!0,Ss=Pe.bbox;if(Ss!=null){Gn=!1;let An=Ss(n,kt);Qn=An.left,ci=An.top,bi=An.width,Vn=An.height}else Qn=Jn,ci=li,bi=Vn=Pe.size(n,kt);if(wn=Pe.fill(n,kt),Ti=Pe.stroke(n,kt),Mi)kt==Ji&&Ni<=kn.prox&&(At=Qn,Lt=ci,Jt=bi,ve=Vn,pe=Gn,ae=wn,qt=Ti);else{let An=yn[kt];An!=null&&(Ui[kt]=Qn,ai[kt]=ci,Rf(An,bi,Vn,Gn),wf(An,wn,Ti),wi(An,ni(Qn),ni(ci),v,F))}}}}if(Mi){let kt=kn.prox,ke=xs==null?Ni<=kt:Ni>kt||Ji!=xs;if(dt||ke){let Ge=yn[0];Ge!=null&&(Ui[0]=At,ai[0]=Lt,Rf(Ge,Jt,ve,pe),wf(Ge,ae,qt),wi(Ge,ni(At),ni(Lt),v,F))}}}if(ze.show&&$i)if(g!=null){let[lt,pt]=Ye.scales,[Tt,At]=Ye.match,[Lt,Jt]=g.cursor.sync.scales,ve=g.cursor.drag;if(on=ve._x,an=ve._y,on||an){let{left:pe,top:ae,width:qt,height:kt}=g.select,ke=g.scales[Lt].ori,Ge=g.posToVal,cn,we,We,Hn,Tn,Jn=lt!=null&&Tt(lt,Lt),li=pt!=null&&At(pt,Jt);Jn&&on?(ke==0?(cn=pe,we=qt):(cn=ae,we=kt),We=S[lt],Hn=V(Ge(cn,Lt),We,X,0),Tn=V(Ge(cn+we,Lt),We,X,0),Xr(mi(Hn,Tn),Je(Tn-Hn))):Xr(0,X),li&&an?(ke==1?(cn=pe,we=qt):(cn=ae,we=kt),We=S[pt],Hn=Y(Ge(cn,Jt),We,it,0),Tn=Y(Ge(cn+we,Jt),We,it,0),Yr(mi(Hn,Tn),Je(Tn-Hn))):Yr(0,it)}else sl()}else{let lt=Je(kh-Bh),pt=Je(Hh-zh);if(R.ori==1){let Jt=lt;lt=pt,pt=Jt}on=pn.x&&lt>=pn.dist,an=pn.y&&pt>=pn.dist;let Tt=pn.uni;Tt!=null?on&&an&&(on=lt>=Tt,an=pt>=Tt,!on&&!an&&(pt>lt?an=!0:on=!0)):pn.x&&pn.y&&(on||an)&&(on=an=!0);let At,Lt;on&&(R.ori==0?(At=$s,Lt=Be):(At=Zs,Lt=Ve),Xr(mi(At,Lt),Je(Lt-At)),an||Yr(0,it)),an&&(R.ori==1?(At=$s,Lt=Be):(At=Zs,Lt=Ve),Yr(mi(At,Lt),Je(Lt-At)),on||Xr(0,X)),!on&&!an&&(Xr(0,0),Yr(0,0))}if(pn._x=on,pn._y=an,g==null){if(w){if(tu!=null){let[lt,pt]=Ye.scales;Ye.values[0]=lt!=null?Ei(R.ori==0?Be:Ve,lt):null,Ye.values[1]=pt!=null?Ei(R.ori==1?Be:Ve,pt):null}Kr(Vl,n,Be,Ve,v,F,D)}if(Ln){let lt=w&&Ye.setSeries,pt=kn.prox;xs==null?Ni<=pt&&yi(Ji,Qs,!0,lt):Ni>pt?yi(null,Qs,!0,lt):Ji!=xs&&yi(Ji,Qs,!0,lt)}}dt&&(Mt.idx=D,el()),M!==!1&&ln("setCursor")}let Qi=null;Object.defineProperty(n,"rect",{get(){return Qi==null&&qr(!1),Qi}});function qr(g=!1){g?Qi=null:(Qi=_.getBoundingClientRect(),ln("syncRect",Qi))}function Wh(g,M,w,D,z,X,it){gt._lock||$i&&g!=null&&g.movementX==0&&g.movementY==0||(nl(g,M,w,D,z,X,it,!1,g!=null),g!=null?Ms(null,!0,!0):Ms(M,!0,!1))}function nl(g,M,w,D,z,X,it,lt,pt){if(Qi==null&&qr(!1),dn(g),g!=null)w=g.clientX-Qi.left,D=g.clientY-Qi.top;else{if(w<0||D<0){Be=-10,Ve=-10;return}let[Tt,At]=Ye.scales,Lt=M.cursor.sync,[Jt,ve]=Lt.values,[pe,ae]=Lt.scales,[qt,kt]=Ye.match,ke=M.axes[0].side%2==1,Ge=R.ori==0?v:F,cn=R.ori==1?v:F,we=ke?X:z,We=ke?z:X,Hn=ke?D:w,Tn=ke?w:D;if(pe!=null?w=qt(Tt,pe)?a(Jt,S[Tt],Ge,0):-10:w=Ge*(Hn/we),ae!=null?D=kt(At,ae)?a(ve,S[At],cn,0):-10:D=cn*(Tn/We),R.ori==1){let Jn=w;w=D,D=Jn}}pt&&(M==null||M.cursor.event.type==Vl)&&((w<=1||w>=v-1)&&(w=Cs(w,v)),(D<=1||D>=F-1)&&(D=Cs(D,F))),lt?(Bh=w,zh=D,[$s,Zs]=gt.move(n,w,D)):(Be=w,Ve=D)}const il={width:0,height:0,left:0,top:0};function sl(){Lo(il,!1)}let Xh,Yh,qh,Kh;function jh(g,M,w,D,z,X,it){$i=!0,on=an=pn._x=pn._y=!1,nl(g,M,w,D,z,X,it,!0,!1),g!=null&&(Ht(Gl,Xc,$h,!1),Kr(xf,n,$s,Zs,v,F,null));let{left:lt,top:pt,width:Tt,height:At}=ze;Xh=lt,Yh=pt,qh=Tt,Kh=At}function $h(g,M,w,D,z,X,it){$i=pn._x=pn._y=!1,nl(g,M,w,D,z,X,it,!1,!0);let{left:lt,top:pt,width:Tt,height:At}=ze,Lt=Tt>0||At>0,Jt=Xh!=lt||Yh!=pt||qh!=Tt||Kh!=At;if(Lt&&Jt&&Lo(ze),pn.setScale&&Lt&&Jt){let ve=lt,pe=Tt,ae=pt,qt=At;if(R.ori==1&&(ve=pt,pe=At,ae=lt,qt=Tt),on&&Zi(C,Ei(ve,C),Ei(ve+pe,C)),an)for(let kt in S){let ke=S[kt];kt!=C&&ke.from==null&&ke.min!=De&&Zi(kt,Ei(ae+qt,kt),Ei(ae,kt))}sl()}else gt.lock&&(gt._lock=!gt._lock,Ms(M,!0,g!=null));g!=null&&(Oe(Gl,Xc),Kr(Gl,n,Be,Ve,v,F,null))}function am(g,M,w,D,z,X,it){if(gt._lock)return;dn(g);let lt=$i;if($i){let pt=!0,Tt=!0,At=10,Lt,Jt;R.ori==0?(Lt=on,Jt=an):(Lt=an,Jt=on),Lt&&Jt&&(pt=Be<=At||Be>=v-At,Tt=Ve<=At||Ve>=F-At),Lt&&pt&&(Be=Be<$s?0:v),Jt&&Tt&&(Ve=Ve<Zs?0:F),Ms(null,!0,!0),$i=!1}Be=-10,Ve=-10,_t.fill(null),Ms(null,!0,!0),lt&&($i=lt)}function Zh(g,M,w,D,z,X,it){gt._lock||(dn(g),St(),sl(),g!=null&&Kr(yf,n,Be,Ve,v,F,null))}function Jh(){A.forEach(Gy),Ct(n.width,n.height,!0)}Os(Ca,Er,Jh);const tr={};tr.mousedown=jh,tr.mousemove=Wh,tr.mouseup=$h,tr.dblclick=Zh,tr.setSeries=(g,M,w,D)=>{let z=Ye.match[2];w=z(n,M,w),w!=-1&&yi(w,D,!0,!1)},jt&&(Ht(xf,_,jh),Ht(Vl,_,Wh),Ht(Mf,_,g=>{dn(g),qr(!1)}),Ht(Sf,_,am),Ht(yf,_,Zh),Qc.add(n),n.syncRect=qr);const Uo=n.hooks=i.hooks||{};function ln(g,M,w){Za?Wr.push([g,M,w]):g in Uo&&Uo[g].forEach(D=>{D.call(null,n,M,w)})}(i.plugins||[]).forEach(g=>{for(let M in g.hooks)Uo[M]=(Uo[M]||[]).concat(g.hooks[M])});const Qh=(g,M,w)=>w,Ye=Ke({key:null,setSeries:!1,filters:{pub:Uf,sub:Uf},scales:[C,T[1]?T[1].scale:null],match:[If,If,Qh],values:[null,null]},gt.sync);Ye.match.length==2&&Ye.match.push(Qh),gt.sync=Ye;const tu=Ye.key,rl=Ep(tu);function Kr(g,M,w,D,z,X,it){Ye.filters.pub(g,M,w,D,z,X,it)&&rl.pub(g,M,w,D,z,X,it)}rl.sub(n);function lm(g,M,w,D,z,X,it){Ye.filters.sub(g,M,w,D,z,X,it)&&tr[g](null,M,w,D,z,X,it)}n.pub=lm;function cm(){rl.unsub(n),Qc.delete(n),Rt.clear(),Kc(Ca,Er,Jh),l.remove(),et?.remove(),ln("destroy")}n.destroy=cm;function ol(){ln("init",i,t),ft(t||i.data,!1),W[C]?Ja(C,W[C]):St(),ut=ze.show&&(ze.width>0||ze.height>0),B=dt=!0,Ct(i.width,i.height)}return T.forEach(gs),A.forEach(ja),e?e instanceof HTMLElement?(e.appendChild(l),ol()):e(n,ol):ol(),n}Sn.assign=Ke;Sn.fmtNum=Th;Sn.rangeNum=Pa;Sn.rangeLog=Ha;Sn.rangeAsinh=Eh;Sn.orient=Xs;Sn.pxRatio=xe;Sn.join=IS;Sn.fmtDate=Ah,Sn.tzDate=XS;Sn.sync=Ep;{Sn.addGap=Ay,Sn.clipGaps=Wa;let i=Sn.paths={points:Cp};i.linear=Dp,i.stepped=Py,i.bars=Dy,i.spline=Uy}const Np=new Float64Array(0),Fn=(i,t=1,e=-1/0)=>n=>{const s=n.column(i)??Np;return r=>Math.max(e,t*(s[r]??0))},Wy=i=>t=>{const e=Fn(i,1,1e-12)(t);return n=>Math.log10(e(n))},nd=i=>t=>{const[e,n,s]=["x","y","z"].map(r=>t.column(`force${i}${r}`)??Np);return r=>Math.hypot(e[r],n[r],s[r])},Xy=[{title:"Force on the hand",least:1,unit:"N",open:!0,lines:[{label:"x",colour:"#4dabf7",of:Fn("force0x")},{label:"y",colour:"#51cf66",of:Fn("force0y")},{label:"z",colour:"#b197fc",of:Fn("force0z")},{label:"|F|",colour:"#e8590c",of:nd(0),device:0},{label:"|F|",colour:"#f06595",of:nd(1),device:1}]},{title:"Contacts",least:5,unit:"",open:!0,lines:[{label:"near",colour:"#98a2b3",of:Fn("contacts")},{label:"touching",colour:"#e8590c",of:Fn("active")}]},{title:"Time of a step",least:.1,unit:"ms",open:!1,lines:[{label:"free motion",colour:"#4dabf7",of:Fn("freeMotion",.001)},{label:"proximity",colour:"#51cf66",of:Fn("proximity",.001)},{label:"Delassus",colour:"#b197fc",of:Fn("delassus",.001)},{label:"solve",colour:"#e8590c",of:Fn("solve",.001)},{label:"motion",colour:"#f06595",of:Fn("motion",.001)}]},{title:"Certificate",least:1,unit:"",logarithmic:!0,open:!1,lines:[{label:"worst group",colour:"#e8590c",of:Wy("certificate")}]},{title:"Energy",least:1e-4,unit:"J",open:!1,lines:[{label:"kinetic",colour:"#4dabf7",of:Fn("kinetic")},{label:"elastic",colour:"#51cf66",of:Fn("elastic")},{label:"given to the hand",colour:"#e8590c",of:Fn("given")}]}],Yy={incrs:[3],values:(i,t)=>t.map(e=>`1e${e}`)},qy=(i,t)=>t.map(e=>String(+e.toPrecision(4))),Ky=(i,t)=>t.map(e=>`${+e.toPrecision(4)} s`),jy=10,$y=1200;class Zy{constructor(t){this.kind=t,this.lines=t.lines,this.box.open=t.open;const e=document.createElement("summary");e.textContent=t.title+(t.unit?` (${t.unit})`:""),this.area.className="plot",this.area.setAttribute("role","img"),this.area.setAttribute("aria-label",`${t.title} over the last ten seconds`),this.box.append(e,this.area)}box=document.createElement("details");plot=null;lines;area=document.createElement("div");draw(t){if(!this.box.open||this.area.clientWidth===0)return;this.plot||this.make();const e=this.area.clientWidth;this.plot.width!==e&&this.plot.setSize({width:e,height:150});const{begin:n,end:s}=t.window(jy),r=Math.max(1,Math.ceil((s-n)/$y)),o=t.column("time"),a=[[],...this.lines.map(()=>[])],c=this.lines.map(f=>f.of(t)),l=f=>c.reduce((h,u)=>h+(Math.abs(u(f))||0),0);for(let f=n;o&&f<s;f+=r){let h=f;for(let u=f+1;u<Math.min(s,f+r);++u)l(u)>l(h)&&(h=u);a[0].push(o[h]),c.forEach((u,p)=>a[p+1].push(Number.isNaN(u(h))?null:u(h)))}this.plot.setData(a)}set devices(t){const e=({device:n})=>n!==void 0&&t.length>1?`, ${t[n]}`:"";this.lines=this.kind.lines.filter(n=>(n.device??0)<Math.max(1,t.length)).map(n=>({...n,label:n.label+e(n)})),this.restyle()}restyle(){this.plot?.destroy(),this.plot=null}make(){const t=getComputedStyle(document.body),e=t.getPropertyValue("--ink-soft").trim(),n={stroke:t.getPropertyValue("--line").trim(),width:1},s={stroke:e,grid:n,ticks:n,font:"11px system-ui"};this.plot=new Sn({width:this.area.clientWidth,height:150,cursor:{drag:{x:!1,y:!1}},legend:{live:!1},scales:{x:{time:!1},y:{range:this.kind.logarithmic?[-12,0]:(r,o,a)=>Jy(o,a,this.kind.least)}},axes:[{...s,size:26,values:Ky},{...s,size:46,space:20,...this.kind.logarithmic?Yy:{values:qy}}],series:[{},...this.lines.map(r=>({label:r.label,stroke:r.colour,width:1.4,points:{show:!1}}))]},[[],...this.lines.map(()=>[])],this.area)}}function Jy(i,t,e){const n=Math.min(0,i??0),s=Math.max(0,t??0,n<-e?0:e),r=.06*(s-n);return[n<0?n-r:0,s+r]}class Qy{boxes=Xy.map(t=>new Zy(t));turn=0;constructor(t){t.append(...this.boxes.map(e=>e.box))}set devices(t){for(const e of this.boxes)e.devices=t}draw(t){const e=this.boxes.filter(n=>n.box.open);e.length>0&&e[this.turn++%e.length].draw(t)}drawAll(t){for(const e of this.boxes)e.draw(t)}restyle(){for(const t of this.boxes)t.restyle()}}class tE{constructor(t,e,n){this.world=t,this.tool=e,this.canvas=n,n.addEventListener("pointerdown",s=>this.down(s),{capture:!0}),n.addEventListener("pointermove",s=>this.move(s));for(const s of["pointerup","pointercancel"])n.addEventListener(s,r=>this.up(r));n.addEventListener("wheel",s=>this.wheel(s),{capture:!0,passive:!1}),n.style.touchAction="none"}dragging=-1;depthFinger=-1;depthY=0;plane=new Vi;grab=new N;ray(t){const e=this.canvas.getBoundingClientRect(),n=new Qt(2*(t.clientX-e.left)/e.width-1,1-2*(t.clientY-e.top)/e.height),s=new kg;return s.setFromCamera(n,this.world.camera),s}deviceAt(t){const e=this.ray(t).ray,n=this.hands(),s=.09*this.world.size*(t.pointerType==="touch"?1.6:1);let r=-1,o=s;if(n.forEach((l,f)=>{const h=e.distanceToPoint(new N().fromArray(l.position));h<o&&(o=h,r=f)}),r>=0)return r;const a=this.ray(t).intersectObjects(this.world.bodies.map(l=>l.group),!0)[0];if(!a)return-1;const c=this.world.bodies.findIndex(l=>l.group===a.object.parent);return n.findIndex(l=>l.body===c)}hands(){return this.tool.hands}down(t){if(this.canvas.focus({preventScroll:!0}),this.dragging>=0){t.pointerId!==this.dragging&&t.pointerType==="touch"&&(this.depthFinger=t.pointerId,this.depthY=t.clientY,t.stopImmediatePropagation());return}if(t.button!==0)return;const e=this.deviceAt(t);e<0||!this.tool.take(e)||(t.stopImmediatePropagation(),t.preventDefault(),this.dragging=t.pointerId,this.canvas.setPointerCapture(t.pointerId),this.world.controls.enabled=!1,this.setPlane(t))}setPlane(t){const e=this.world.camera.getWorldDirection(new N);this.plane.setFromNormalAndCoplanarPoint(e,this.tool.position);const n=this.ray(t).ray.intersectPlane(this.plane,new N);this.grab.copy(this.tool.position).sub(n??this.tool.position)}move(t){if(t.pointerId===this.depthFinger){this.depth((t.clientY-this.depthY)/this.canvas.clientHeight*2*this.world.size),this.depthY=t.clientY;return}if(t.pointerId!==this.dragging)return;const e=this.ray(t).ray.intersectPlane(this.plane,new N);e&&this.tool.moveTo(e.add(this.grab))}up(t){t.pointerId===this.depthFinger&&(this.depthFinger=-1),t.pointerId===this.dragging&&(this.dragging=this.depthFinger=-1,this.world.controls.enabled=!0,this.tool.release())}wheel(t){this.tool.holding&&(t.preventDefault(),t.stopImmediatePropagation(),this.depth(-3e-4*t.deltaY*this.world.size),this.setPlane(t))}depth(t){const e=this.world.camera.getWorldDirection(new N);this.tool.moveBy(e.multiplyScalar(t)),this.plane.setFromNormalAndCoplanarPoint(this.plane.normal,this.tool.position)}}const Kl=24e3,id=16e3;class eE{columns=[];names=[];count=0;reset(t){this.names=t,this.columns=t.map(()=>new Float64Array(Kl)),this.count=0}append(t){const e=this.names.length;if(e!==0)for(let n=0;n+e<=t.length;n+=e){if(this.count>0&&t[n]<this.columns[0][this.count-1]&&(this.count=0),this.count===Kl){for(const s of this.columns)s.copyWithin(0,Kl-id);this.count=id}for(let s=0;s<e;++s)this.columns[s][this.count]=t[n+s];++this.count}}window(t){const e=this.columns[0];if(!e||this.count===0)return{begin:0,end:0};const n=e[this.count-1]-t;let s=this.count-1;for(;s>0&&e[s-1]>=n;)--s;return{begin:s,end:this.count}}column(t){return this.columns[this.names.indexOf(t)]}}const jl=1e3;class nE{constructor(t,e){this.place=t,this.turn=e}rows=[];rebuild(t){this.rows=t.map((e,n)=>{const s=document.createElement("input"),r=document.createElement("output");s.type="range",s.min="0",s.max=String(jl),s.dataset.kind=e.kind,s.setAttribute("aria-label",`${e.label}, ${e.unit}`);const o={input:s,output:r,info:{...e}};return s.addEventListener("input",()=>{o.info.value=sE(e,Number(s.value)/jl),this.label(o)}),s.addEventListener(e.heavy?"change":"input",()=>this.turn(n,o.info.value)),o}),this.place.replaceChildren(...this.rows.map(e=>{const n=document.createElement("label"),s=document.createElement("span");return s.textContent=e.info.label,n.append(s,e.output,e.input),this.place_value(e),n}))}update(t){t.forEach((e,n)=>{const s=this.rows[n];!s||s.input===document.activeElement||(s.info.value=e,this.place_value(s))})}place_value(t){t.input.value=String(Math.round(jl*iE(t.info))),this.label(t)}label(t){const e=t.info.value,n=e!==0&&(Math.abs(e)>=1e4||Math.abs(e)<.01)?e.toExponential(1):String(+e.toPrecision(3));t.output.textContent=t.info.unit==="µ"?`µ ${n}`:`${n} ${t.info.unit}`,t.input.setAttribute("aria-valuetext",t.output.textContent)}}function iE(i){return i.logarithmic?Math.log(i.value/i.least)/Math.log(i.most/i.least):(i.value-i.least)/(i.most-i.least)}function sE(i,t){return i.logarithmic?i.least*Math.pow(i.most/i.least,t):i.least+t*(i.most-i.least)}const $l=matchMedia("(prefers-color-scheme: dark)");let co=null;try{const i=localStorage.getItem("palp-dark");i!==null&&(co=i==="1")}catch{}function rE(i,t){const e=()=>{const n=co??$l.matches;document.documentElement.dataset.theme=n?"dark":"light",i.setAttribute("aria-pressed",String(n)),t(n)};$l.addEventListener("change",e),i.addEventListener("click",()=>{co=!(co??$l.matches);try{localStorage.setItem("palp-dark",co?"1":"0")}catch{}e()}),e()}const sd={type:"change"},Ih={type:"start"},Fp={type:"end"},ha=new Fa,rd=new Vi,oE=Math.cos(70*Zm.DEG2RAD),$e=new N,Nn=2*Math.PI,Ce={NONE:-1,ROTATE:0,DOLLY:1,PAN:2,TOUCH_ROTATE:3,TOUCH_PAN:4,TOUCH_DOLLY_PAN:5,TOUCH_DOLLY_ROTATE:6},Zl=1e-6;class aE extends Hg{constructor(t,e=null){super(t,e),this.state=Ce.NONE,this.target=new N,this.cursor=new N,this.minDistance=0,this.maxDistance=1/0,this.minZoom=0,this.maxZoom=1/0,this.minTargetRadius=0,this.maxTargetRadius=1/0,this.minPolarAngle=0,this.maxPolarAngle=Math.PI,this.minAzimuthAngle=-1/0,this.maxAzimuthAngle=1/0,this.enableDamping=!1,this.dampingFactor=.05,this.enableZoom=!0,this.zoomSpeed=1,this.enableRotate=!0,this.rotateSpeed=1,this.keyRotateSpeed=1,this.enablePan=!0,this.panSpeed=1,this.screenSpacePanning=!0,this.keyPanSpeed=7,this.zoomToCursor=!1,this.autoRotate=!1,this.autoRotateSpeed=2,this.keys={LEFT:"ArrowLeft",UP:"ArrowUp",RIGHT:"ArrowRight",BOTTOM:"ArrowDown"},this.mouseButtons={LEFT:Mr.ROTATE,MIDDLE:Mr.DOLLY,RIGHT:Mr.PAN},this.touches={ONE:vr.ROTATE,TWO:vr.DOLLY_PAN},this.target0=this.target.clone(),this.position0=this.object.position.clone(),this.zoom0=this.object.zoom,this._domElementKeyEvents=null,this._lastPosition=new N,this._lastQuaternion=new zn,this._lastTargetPosition=new N,this._quat=new zn().setFromUnitVectors(t.up,new N(0,1,0)),this._quatInverse=this._quat.clone().invert(),this._spherical=new Bu,this._sphericalDelta=new Bu,this._scale=1,this._panOffset=new N,this._rotateStart=new Qt,this._rotateEnd=new Qt,this._rotateDelta=new Qt,this._panStart=new Qt,this._panEnd=new Qt,this._panDelta=new Qt,this._dollyStart=new Qt,this._dollyEnd=new Qt,this._dollyDelta=new Qt,this._dollyDirection=new N,this._mouse=new Qt,this._performCursorZoom=!1,this._pointers=[],this._pointerPositions={},this._controlActive=!1,this._onPointerMove=cE.bind(this),this._onPointerDown=lE.bind(this),this._onPointerUp=hE.bind(this),this._onContextMenu=_E.bind(this),this._onMouseWheel=dE.bind(this),this._onKeyDown=pE.bind(this),this._onTouchStart=mE.bind(this),this._onTouchMove=gE.bind(this),this._onMouseDown=uE.bind(this),this._onMouseMove=fE.bind(this),this._interceptControlDown=vE.bind(this),this._interceptControlUp=xE.bind(this),this.domElement!==null&&this.connect(this.domElement),this.update()}connect(t){super.connect(t),this.domElement.addEventListener("pointerdown",this._onPointerDown),this.domElement.addEventListener("pointercancel",this._onPointerUp),this.domElement.addEventListener("contextmenu",this._onContextMenu),this.domElement.addEventListener("wheel",this._onMouseWheel,{passive:!1}),this.domElement.getRootNode().addEventListener("keydown",this._interceptControlDown,{passive:!0,capture:!0}),this.domElement.style.touchAction="none"}disconnect(){this.domElement.removeEventListener("pointerdown",this._onPointerDown),this.domElement.removeEventListener("pointermove",this._onPointerMove),this.domElement.removeEventListener("pointerup",this._onPointerUp),this.domElement.removeEventListener("pointercancel",this._onPointerUp),this.domElement.removeEventListener("wheel",this._onMouseWheel),this.domElement.removeEventListener("contextmenu",this._onContextMenu),this.stopListenToKeyEvents(),this.domElement.getRootNode().removeEventListener("keydown",this._interceptControlDown,{capture:!0}),this.domElement.style.touchAction="auto"}dispose(){this.disconnect()}getPolarAngle(){return this._spherical.phi}getAzimuthalAngle(){return this._spherical.theta}getDistance(){return this.object.position.distanceTo(this.target)}listenToKeyEvents(t){t.addEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=t}stopListenToKeyEvents(){this._domElementKeyEvents!==null&&(this._domElementKeyEvents.removeEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=null)}saveState(){this.target0.copy(this.target),this.position0.copy(this.object.position),this.zoom0=this.object.zoom}reset(){this.target.copy(this.target0),this.object.position.copy(this.position0),this.object.zoom=this.zoom0,this.object.updateProjectionMatrix(),this.dispatchEvent(sd),this.update(),this.state=Ce.NONE}update(t=null){const e=this.object.position;$e.copy(e).sub(this.target),$e.applyQuaternion(this._quat),this._spherical.setFromVector3($e),this.autoRotate&&this.state===Ce.NONE&&this._rotateLeft(this._getAutoRotationAngle(t)),this.enableDamping?(this._spherical.theta+=this._sphericalDelta.theta*this.dampingFactor,this._spherical.phi+=this._sphericalDelta.phi*this.dampingFactor):(this._spherical.theta+=this._sphericalDelta.theta,this._spherical.phi+=this._sphericalDelta.phi);let n=this.minAzimuthAngle,s=this.maxAzimuthAngle;isFinite(n)&&isFinite(s)&&(n<-Math.PI?n+=Nn:n>Math.PI&&(n-=Nn),s<-Math.PI?s+=Nn:s>Math.PI&&(s-=Nn),n<=s?this._spherical.theta=Math.max(n,Math.min(s,this._spherical.theta)):this._spherical.theta=this._spherical.theta>(n+s)/2?Math.max(n,this._spherical.theta):Math.min(s,this._spherical.theta)),this._spherical.phi=Math.max(this.minPolarAngle,Math.min(this.maxPolarAngle,this._spherical.phi)),this._spherical.makeSafe(),this.enableDamping===!0?this.target.addScaledVector(this._panOffset,this.dampingFactor):this.target.add(this._panOffset),this.target.sub(this.cursor),this.target.clampLength(this.minTargetRadius,this.maxTargetRadius),this.target.add(this.cursor);let r=!1;if(this.zoomToCursor&&this._performCursorZoom||this.object.isOrthographicCamera)this._spherical.radius=this._clampDistance(this._spherical.radius);else{const o=this._spherical.radius;this._spherical.radius=this._clampDistance(this._spherical.radius*this._scale),r=o!=this._spherical.radius}if($e.setFromSpherical(this._spherical),$e.applyQuaternion(this._quatInverse),e.copy(this.target).add($e),this.object.lookAt(this.target),this.enableDamping===!0?(this._sphericalDelta.theta*=1-this.dampingFactor,this._sphericalDelta.phi*=1-this.dampingFactor,this._panOffset.multiplyScalar(1-this.dampingFactor)):(this._sphericalDelta.set(0,0,0),this._panOffset.set(0,0,0)),this.zoomToCursor&&this._performCursorZoom){let o=null;if(this.object.isPerspectiveCamera){const a=$e.length();o=this._clampDistance(a*this._scale);const c=a-o;this.object.position.addScaledVector(this._dollyDirection,c),this.object.updateMatrixWorld(),r=!!c}else if(this.object.isOrthographicCamera){const a=new N(this._mouse.x,this._mouse.y,0);a.unproject(this.object);const c=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),this.object.updateProjectionMatrix(),r=c!==this.object.zoom;const l=new N(this._mouse.x,this._mouse.y,0);l.unproject(this.object),this.object.position.sub(l).add(a),this.object.updateMatrixWorld(),o=$e.length()}else console.warn("WARNING: OrbitControls.js encountered an unknown camera type - zoom to cursor disabled."),this.zoomToCursor=!1;o!==null&&(this.screenSpacePanning?this.target.set(0,0,-1).transformDirection(this.object.matrix).multiplyScalar(o).add(this.object.position):(ha.origin.copy(this.object.position),ha.direction.set(0,0,-1).transformDirection(this.object.matrix),Math.abs(this.object.up.dot(ha.direction))<oE?this.object.lookAt(this.target):(rd.setFromNormalAndCoplanarPoint(this.object.up,this.target),ha.intersectPlane(rd,this.target))))}else if(this.object.isOrthographicCamera){const o=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),o!==this.object.zoom&&(this.object.updateProjectionMatrix(),r=!0)}return this._scale=1,this._performCursorZoom=!1,r||this._lastPosition.distanceToSquared(this.object.position)>Zl||8*(1-this._lastQuaternion.dot(this.object.quaternion))>Zl||this._lastTargetPosition.distanceToSquared(this.target)>Zl?(this.dispatchEvent(sd),this._lastPosition.copy(this.object.position),this._lastQuaternion.copy(this.object.quaternion),this._lastTargetPosition.copy(this.target),!0):!1}_getAutoRotationAngle(t){return t!==null?Nn/60*this.autoRotateSpeed*t:Nn/60/60*this.autoRotateSpeed}_getZoomScale(t){const e=Math.abs(t*.01);return Math.pow(.95,this.zoomSpeed*e)}_rotateLeft(t){this._sphericalDelta.theta-=t}_rotateUp(t){this._sphericalDelta.phi-=t}_panLeft(t,e){$e.setFromMatrixColumn(e,0),$e.multiplyScalar(-t),this._panOffset.add($e)}_panUp(t,e){this.screenSpacePanning===!0?$e.setFromMatrixColumn(e,1):($e.setFromMatrixColumn(e,0),$e.crossVectors(this.object.up,$e)),$e.multiplyScalar(t),this._panOffset.add($e)}_pan(t,e){const n=this.domElement;if(this.object.isPerspectiveCamera){const s=this.object.position;$e.copy(s).sub(this.target);let r=$e.length();r*=Math.tan(this.object.fov/2*Math.PI/180),this._panLeft(2*t*r/n.clientHeight,this.object.matrix),this._panUp(2*e*r/n.clientHeight,this.object.matrix)}else this.object.isOrthographicCamera?(this._panLeft(t*(this.object.right-this.object.left)/this.object.zoom/n.clientWidth,this.object.matrix),this._panUp(e*(this.object.top-this.object.bottom)/this.object.zoom/n.clientHeight,this.object.matrix)):(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - pan disabled."),this.enablePan=!1)}_dollyOut(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale/=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_dollyIn(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale*=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_updateZoomParameters(t,e){if(!this.zoomToCursor)return;this._performCursorZoom=!0;const n=this.domElement.getBoundingClientRect(),s=t-n.left,r=e-n.top,o=n.width,a=n.height;this._mouse.x=s/o*2-1,this._mouse.y=-(r/a)*2+1,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()}_clampDistance(t){return Math.max(this.minDistance,Math.min(this.maxDistance,t))}_handleMouseDownRotate(t){this._rotateStart.set(t.clientX,t.clientY)}_handleMouseDownDolly(t){this._updateZoomParameters(t.clientX,t.clientX),this._dollyStart.set(t.clientX,t.clientY)}_handleMouseDownPan(t){this._panStart.set(t.clientX,t.clientY)}_handleMouseMoveRotate(t){this._rotateEnd.set(t.clientX,t.clientY),this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);const e=this.domElement;this._rotateLeft(Nn*this._rotateDelta.x/e.clientHeight),this._rotateUp(Nn*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd),this.update()}_handleMouseMoveDolly(t){this._dollyEnd.set(t.clientX,t.clientY),this._dollyDelta.subVectors(this._dollyEnd,this._dollyStart),this._dollyDelta.y>0?this._dollyOut(this._getZoomScale(this._dollyDelta.y)):this._dollyDelta.y<0&&this._dollyIn(this._getZoomScale(this._dollyDelta.y)),this._dollyStart.copy(this._dollyEnd),this.update()}_handleMouseMovePan(t){this._panEnd.set(t.clientX,t.clientY),this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd),this.update()}_handleMouseWheel(t){this._updateZoomParameters(t.clientX,t.clientY),t.deltaY<0?this._dollyIn(this._getZoomScale(t.deltaY)):t.deltaY>0&&this._dollyOut(this._getZoomScale(t.deltaY)),this.update()}_handleKeyDown(t){let e=!1;switch(t.code){case this.keys.UP:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(Nn*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,this.keyPanSpeed),e=!0;break;case this.keys.BOTTOM:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(-Nn*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,-this.keyPanSpeed),e=!0;break;case this.keys.LEFT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(Nn*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(this.keyPanSpeed,0),e=!0;break;case this.keys.RIGHT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(-Nn*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(-this.keyPanSpeed,0),e=!0;break}e&&(t.preventDefault(),this.update())}_handleTouchStartRotate(t){if(this._pointers.length===1)this._rotateStart.set(t.pageX,t.pageY);else{const e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._rotateStart.set(n,s)}}_handleTouchStartPan(t){if(this._pointers.length===1)this._panStart.set(t.pageX,t.pageY);else{const e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._panStart.set(n,s)}}_handleTouchStartDolly(t){const e=this._getSecondPointerPosition(t),n=t.pageX-e.x,s=t.pageY-e.y,r=Math.sqrt(n*n+s*s);this._dollyStart.set(0,r)}_handleTouchStartDollyPan(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enablePan&&this._handleTouchStartPan(t)}_handleTouchStartDollyRotate(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enableRotate&&this._handleTouchStartRotate(t)}_handleTouchMoveRotate(t){if(this._pointers.length==1)this._rotateEnd.set(t.pageX,t.pageY);else{const n=this._getSecondPointerPosition(t),s=.5*(t.pageX+n.x),r=.5*(t.pageY+n.y);this._rotateEnd.set(s,r)}this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);const e=this.domElement;this._rotateLeft(Nn*this._rotateDelta.x/e.clientHeight),this._rotateUp(Nn*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd)}_handleTouchMovePan(t){if(this._pointers.length===1)this._panEnd.set(t.pageX,t.pageY);else{const e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._panEnd.set(n,s)}this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd)}_handleTouchMoveDolly(t){const e=this._getSecondPointerPosition(t),n=t.pageX-e.x,s=t.pageY-e.y,r=Math.sqrt(n*n+s*s);this._dollyEnd.set(0,r),this._dollyDelta.set(0,Math.pow(this._dollyEnd.y/this._dollyStart.y,this.zoomSpeed)),this._dollyOut(this._dollyDelta.y),this._dollyStart.copy(this._dollyEnd);const o=(t.pageX+e.x)*.5,a=(t.pageY+e.y)*.5;this._updateZoomParameters(o,a)}_handleTouchMoveDollyPan(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enablePan&&this._handleTouchMovePan(t)}_handleTouchMoveDollyRotate(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enableRotate&&this._handleTouchMoveRotate(t)}_addPointer(t){this._pointers.push(t.pointerId)}_removePointer(t){delete this._pointerPositions[t.pointerId];for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId){this._pointers.splice(e,1);return}}_isTrackingPointer(t){for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId)return!0;return!1}_trackPointer(t){let e=this._pointerPositions[t.pointerId];e===void 0&&(e=new Qt,this._pointerPositions[t.pointerId]=e),e.set(t.pageX,t.pageY)}_getSecondPointerPosition(t){const e=t.pointerId===this._pointers[0]?this._pointers[1]:this._pointers[0];return this._pointerPositions[e]}_customWheelEvent(t){const e=t.deltaMode,n={clientX:t.clientX,clientY:t.clientY,deltaY:t.deltaY};switch(e){case 1:n.deltaY*=16;break;case 2:n.deltaY*=100;break}return t.ctrlKey&&!this._controlActive&&(n.deltaY*=10),n}}function lE(i){this.enabled!==!1&&(this._pointers.length===0&&(this.domElement.setPointerCapture(i.pointerId),this.domElement.addEventListener("pointermove",this._onPointerMove),this.domElement.addEventListener("pointerup",this._onPointerUp)),!this._isTrackingPointer(i)&&(this._addPointer(i),i.pointerType==="touch"?this._onTouchStart(i):this._onMouseDown(i)))}function cE(i){this.enabled!==!1&&(i.pointerType==="touch"?this._onTouchMove(i):this._onMouseMove(i))}function hE(i){switch(this._removePointer(i),this._pointers.length){case 0:this.domElement.releasePointerCapture(i.pointerId),this.domElement.removeEventListener("pointermove",this._onPointerMove),this.domElement.removeEventListener("pointerup",this._onPointerUp),this.dispatchEvent(Fp),this.state=Ce.NONE;break;case 1:const t=this._pointers[0],e=this._pointerPositions[t];this._onTouchStart({pointerId:t,pageX:e.x,pageY:e.y});break}}function uE(i){let t;switch(i.button){case 0:t=this.mouseButtons.LEFT;break;case 1:t=this.mouseButtons.MIDDLE;break;case 2:t=this.mouseButtons.RIGHT;break;default:t=-1}switch(t){case Mr.DOLLY:if(this.enableZoom===!1)return;this._handleMouseDownDolly(i),this.state=Ce.DOLLY;break;case Mr.ROTATE:if(i.ctrlKey||i.metaKey||i.shiftKey){if(this.enablePan===!1)return;this._handleMouseDownPan(i),this.state=Ce.PAN}else{if(this.enableRotate===!1)return;this._handleMouseDownRotate(i),this.state=Ce.ROTATE}break;case Mr.PAN:if(i.ctrlKey||i.metaKey||i.shiftKey){if(this.enableRotate===!1)return;this._handleMouseDownRotate(i),this.state=Ce.ROTATE}else{if(this.enablePan===!1)return;this._handleMouseDownPan(i),this.state=Ce.PAN}break;default:this.state=Ce.NONE}this.state!==Ce.NONE&&this.dispatchEvent(Ih)}function fE(i){switch(this.state){case Ce.ROTATE:if(this.enableRotate===!1)return;this._handleMouseMoveRotate(i);break;case Ce.DOLLY:if(this.enableZoom===!1)return;this._handleMouseMoveDolly(i);break;case Ce.PAN:if(this.enablePan===!1)return;this._handleMouseMovePan(i);break}}function dE(i){this.enabled===!1||this.enableZoom===!1||this.state!==Ce.NONE||(i.preventDefault(),this.dispatchEvent(Ih),this._handleMouseWheel(this._customWheelEvent(i)),this.dispatchEvent(Fp))}function pE(i){this.enabled!==!1&&this._handleKeyDown(i)}function mE(i){switch(this._trackPointer(i),this._pointers.length){case 1:switch(this.touches.ONE){case vr.ROTATE:if(this.enableRotate===!1)return;this._handleTouchStartRotate(i),this.state=Ce.TOUCH_ROTATE;break;case vr.PAN:if(this.enablePan===!1)return;this._handleTouchStartPan(i),this.state=Ce.TOUCH_PAN;break;default:this.state=Ce.NONE}break;case 2:switch(this.touches.TWO){case vr.DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchStartDollyPan(i),this.state=Ce.TOUCH_DOLLY_PAN;break;case vr.DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchStartDollyRotate(i),this.state=Ce.TOUCH_DOLLY_ROTATE;break;default:this.state=Ce.NONE}break;default:this.state=Ce.NONE}this.state!==Ce.NONE&&this.dispatchEvent(Ih)}function gE(i){switch(this._trackPointer(i),this.state){case Ce.TOUCH_ROTATE:if(this.enableRotate===!1)return;this._handleTouchMoveRotate(i),this.update();break;case Ce.TOUCH_PAN:if(this.enablePan===!1)return;this._handleTouchMovePan(i),this.update();break;case Ce.TOUCH_DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchMoveDollyPan(i),this.update();break;case Ce.TOUCH_DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchMoveDollyRotate(i),this.update();break;default:this.state=Ce.NONE}}function _E(i){this.enabled!==!1&&i.preventDefault()}function vE(i){i.key==="Control"&&(this._controlActive=!0,this.domElement.getRootNode().addEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}function xE(i){i.key==="Control"&&(this._controlActive=!1,this.domElement.getRootNode().removeEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}const ME=Math.cos(40*Math.PI/180);function SE(i,t){const e=[],n=[],s=[],r=new Uint32Array(t.length);for(let o=0;o<t.length;o+=3){const a=EE(i,t,o);for(let c=0;c<3;++c){const l=t[o+c],f=s[l]??=[];let h=f.find(u=>yE(n[u],a)>ME);h===void 0&&(h=e.length,e.push(l),n.push(a),f.push(h)),r[o+c]=h}}return{source:Uint32Array.from(e),index:r}}const yE=(i,t)=>i[0]*t[0]+i[1]*t[1]+i[2]*t[2];function EE(i,t,e){const n=3*t[e],s=3*t[e+1],r=3*t[e+2],o=i[s]-i[n],a=i[s+1]-i[n+1],c=i[s+2]-i[n+2],l=i[r]-i[n],f=i[r+1]-i[n+1],h=i[r+2]-i[n+2],u=[a*h-c*f,c*l-o*h,o*f-a*l],p=Math.hypot(u[0],u[1],u[2])||1;return[u[0]/p,u[1]/p,u[2]/p]}function bE(i,t,e){e.fill(0);for(let n=0;n<t.length;n+=3){const s=3*t[n],r=3*t[n+1],o=3*t[n+2],a=i[r]-i[s],c=i[r+1]-i[s+1],l=i[r+2]-i[s+2],f=i[o]-i[s],h=i[o+1]-i[s+1],u=i[o+2]-i[s+2],p=c*u-l*h,_=l*f-a*u,x=a*h-c*f;e[s]+=p,e[s+1]+=_,e[s+2]+=x,e[r]+=p,e[r+1]+=_,e[r+2]+=x,e[o]+=p,e[o+1]+=_,e[o+2]+=x}}const od=[3113925,14715452,5025650,11952079,13715803,9279918],TE=10134961,wE=11120824;class AE{constructor(t,e,n){this.info=t,this.positions=new Float32Array(3*t.vertices),this.colour=t.movable?od[e%od.length]:TE;const s={color:this.colour,side:ii};this.material=n?new Lg(s):new Dg({...s,roughness:.55,metalness:.05}),this.group.name=t.name}group=new Gi;positions;seen=!1;surface=null;corners=null;tubes=null;balls=null;material;colour;update(t){const{low:e,size:n,fractions:s}=t,r=this.positions,o=n[0]/65535,a=n[1]/65535,c=n[2]/65535;for(let l=0;l<r.length;l+=3)r[l]=e[0]+o*s[l],r[l+1]=e[1]+a*s[l+1],r[l+2]=e[2]+c*s[l+2];this.seen||this.build(),this.seen=!0,this.surface&&this.moveSurface(),(this.tubes||this.balls)&&this.moveTubes()}set wireframe(t){this.material.wireframe=t}colourPlain(){this.paint(this.colour,null)}colourGrey(){this.paint(wE,null)}colourBy(t,e,n){if(!this.surface||t.length!==this.info.vertices)return this.colourGrey();const{source:s}=this.corners,r=this.surface.geometry.attributes.uv,o=n.image.width;for(let a=0;a<s.length;++a)r.setX(a,(.5+(o-1)*Math.min(1,e*t[s[a]]))/o);r.needsUpdate=!0,this.paint(16777215,n)}paint(t,e){this.material.color.setHex(t),this.material.map!==e&&(this.material.map=e,this.material.needsUpdate=!0)}box(t){const e=new N;for(let n=0;n<this.positions.length;n+=3)t.expandByPoint(e.fromArray(this.positions,n));return t}dispose(){this.surface?.geometry.dispose(),this.tubes?.geometry.dispose(),this.balls?.geometry.dispose(),this.material.dispose()}build(){const{triangles:t,segments:e,vertices:n,radius:s}=this.info;if(t.length>0){this.corners=SE(this.positions,t);const o=3*this.corners.source.length,a=new Dn;a.setAttribute("position",new un(new Float32Array(o),3)),a.setAttribute("normal",new un(new Float32Array(o),3)),a.setAttribute("uv",new un(new Float32Array(2*this.corners.source.length),2)),a.setIndex(new un(this.corners.index,1)),this.surface=new _n(a,this.material),this.surface.frustumCulled=!1,this.surface.castShadow=this.info.movable,this.surface.receiveShadow=!0,this.group.add(this.surface);return}const r=s>0?s:.001;if(e.length>0){const o=new Br(r,r,1,16,1,!0);this.tubes=new Ta(o,this.material,e.length/2)}this.balls=new Ta(new ks(r,16,12),this.material,n);for(const o of[this.tubes,this.balls])o&&(o.frustumCulled=!1,o.castShadow=!0,this.group.add(o))}moveSurface(){const{source:t,index:e}=this.corners,n=this.surface.geometry,s=n.attributes.position.array;for(let r=0;r<t.length;++r){const o=3*t[r];s[3*r]=this.positions[o],s[3*r+1]=this.positions[o+1],s[3*r+2]=this.positions[o+2]}bE(s,e,n.attributes.normal.array),n.attributes.position.needsUpdate=!0,n.attributes.normal.needsUpdate=!0,n.boundingSphere=null}moveTubes(){const t=this.positions,e=new ye;if(this.tubes){const n=this.info.segments;for(let s=0;s<n.length;s+=2)CE(e,t,3*n[s],3*n[s+1]),this.tubes.setMatrixAt(s/2,e);this.tubes.instanceMatrix.needsUpdate=!0,this.tubes.boundingSphere=null}for(let n=0;n<t.length;n+=3)this.balls.setMatrixAt(n/3,e.makeTranslation(t[n],t[n+1],t[n+2]));this.balls.instanceMatrix.needsUpdate=!0,this.balls.boundingSphere=null}}const RE=new N(0,1,0),ua=new N,fa=new N,ad=new zn,ld=new N;function CE(i,t,e,n){ua.fromArray(t,e),fa.fromArray(t,n);const s=ua.distanceTo(fa);ld.set(1,Math.max(s,1e-9),1);const r=ua.clone().add(fa).multiplyScalar(.5);ad.setFromUnitVectors(RE,fa.sub(ua).normalize()),i.compose(r,ad,ld)}const Op=512,PE={[Wi.open]:10003123,[Wi.stick]:1226886,[Wi.slip]:16213767,[Wi.joint]:10250974},cd=new N(0,1,0);function da(i,t){const e=new Ta(i,t,Op);return e.frustumCulled=!1,e.count=0,e.setColorAt(0,new ne(0)),e}class DE{group=new Gi;size=.1;scale=0;strongest=0;points;shafts;heads;cones;constructor(){const t=new Pi({depthTest:!1,transparent:!0}),e=new Pi({transparent:!0,opacity:.28,side:ii,depthWrite:!1}),n=new Br(1,1,1,10).translate(0,.5,0),s=new Ra(1,1,14).translate(0,-.5,0),r=new Ra(1,1,24,1,!0).rotateX(Math.PI).translate(0,.5,0);this.points=da(new ks(1,10,8),t),this.shafts=da(n,t),this.heads=da(s,t),this.cones=da(r,e);for(const o of[this.cones,this.points,this.shafts,this.heads])o.renderOrder=5,this.group.add(o);this.cones.renderOrder=4,this.cones.visible=!1}set sceneSize(t){this.size=t,this.scale=0}set showCones(t){this.cones.visible=t}update(t){const e=this.strongest||t.reduce((u,p)=>Math.max(u,Math.hypot(p.force[0],p.force[1],p.force[2])),0);if(e>0){const u=.22*this.size/e;this.scale=this.scale===0||this.strongest?u:Math.min(u,this.scale*1.02)}const n=Math.min(t.length,Op),s=.006*this.size,r=new ye,o=new zn,a=new N,c=new N,l=new N,f=new ne;let h=0;for(let u=0;u<n;++u){const p=t[u];f.setHex(PE[p.touch]),a.fromArray(p.at),o.identity();const _=p.touch===Wi.open?.6*s:1.2*s;this.points.setMatrixAt(u,r.compose(a,o,l.set(_,_,_))),this.points.setColorAt(u,f),o.setFromUnitVectors(cd,c.fromArray(p.normal));const x=p.touch===Wi.open||p.touch===Wi.joint?0:.08*this.size;this.cones.setMatrixAt(u,r.compose(a,o,l.set(p.mu*x,x,p.mu*x))),this.cones.setColorAt(u,f),c.fromArray(p.force);const m=c.length()*this.scale;if(m<.004*this.size)continue;o.setFromUnitVectors(cd,c.normalize());const d=Math.min(.35*m,6*s);this.shafts.setMatrixAt(h,r.compose(a,o,l.set(.7*s,m-d,.7*s))),this.heads.setMatrixAt(h,r.compose(a.addScaledVector(c,m),o,l.set(2*s,d,2*s))),this.shafts.setColorAt(h,f),this.heads.setColorAt(h,f),++h}this.points.count=this.cones.count=n,this.shafts.count=this.heads.count=h;for(const u of[this.points,this.cones,this.shafts,this.heads])u.instanceMatrix.needsUpdate=!0,u.instanceColor&&(u.instanceColor.needsUpdate=!0)}}const pa=new ne(4171775),LE=new ne(16731471);class UE{group=new Gi;handle;proxy;coupling;ring;colour=new ne;label=document.createElement("span");reach;constructor(t,e){const n=.035*e;this.reach=1.9*n,this.label.className="hand-name",this.label.textContent=t;const s={depthTest:!1,transparent:!0};this.handle=new _n(new ks(n,24,16),new Pi({color:pa,opacity:.75,...s})),this.ring=new _n(new gh(1.7*n,.16*n,10,40),new Pi({color:pa,opacity:.9,...s})),this.proxy=new _n(new ks(.5*n,16,12),new Pi({color:16777215,...s})),this.coupling=new _n(new Br(.14*n,.14*n,1,8),new Pi({color:pa,...s}));for(const r of[this.coupling,this.handle,this.ring,this.proxy])r.renderOrder=8,this.group.add(r)}placeLabel(t,e,n){const s=new N().setFromMatrixColumn(t.matrixWorld,0),r=this.handle.position.clone().addScaledVector(s,this.reach).project(t);this.label.hidden=!(Math.abs(r.x)<1&&Math.abs(r.y)<1&&Math.abs(r.z)<1),this.label.style.transform=`translate(${(.5*(r.x+1)*e).toFixed(1)}px, ${(.5*(1-r.y)*n).toFixed(1)}px) translateY(-50%)`}update(t,e,n){this.handle.position.fromArray(t.position),this.handle.quaternion.fromArray(t.orientation),this.ring.position.copy(this.handle.position),this.ring.quaternion.copy(n.quaternion),this.proxy.visible=this.coupling.visible=t.body>=0,this.proxy.position.fromArray(t.gripPosition);const s=this.proxy.position.clone().sub(this.handle.position),r=s.length();this.coupling.visible&&=r>1e-7,this.coupling.visible&&(this.coupling.position.copy(this.handle.position).addScaledVector(s,.5),this.coupling.quaternion.setFromUnitVectors(new N(0,1,0),s.normalize()),this.coupling.scale.set(1,r,1)),this.colour.lerpColors(pa,LE,Math.min(1,e));for(const o of[this.coupling,this.handle,this.ring])o.material.color.copy(this.colour)}}class IE{constructor(t){this.canvas=t,this.labels.id="hand-names",this.labels.setAttribute("aria-hidden","true"),t.parentElement.append(this.labels)}group=new Gi;views=[];labels=document.createElement("div");strongest=1;rebuild(t,e){this.group.clear(),this.views=t.map(n=>new UE(n,e));for(const n of this.views)this.group.add(n.group);this.labels.replaceChildren(...this.views.map(n=>n.label)),this.strongest=1}placeLabels(t){this.labels.hidden=!this.group.visible;for(const e of this.views)e.placeLabel(t,this.canvas.clientWidth,this.canvas.clientHeight)}update(t,e){t.forEach((n,s)=>{const r=Math.hypot(n.force[0],n.force[1],n.force[2]);this.strongest=Math.max(this.strongest,r),this.views[s]?.update(n,r/this.strongest,e)})}}const NE=2;class FE{frame=document.createElement("div");camera=new On(30,1,1e-4,1);from=new N;constructor(){this.frame.className="lens",this.frame.hidden=!0}aim(t,e,n,s){const r=n.clone().multiplyScalar(2.5).add(e);r.lengthSq()<.05&&r.addScaledVector(s,1),this.from.lerp(r.normalize(),this.from.lengthSq()>0?.15:1).normalize();const o=new N().fromArray(t.half).length(),a=1.15*o/Math.tan(this.camera.fov*Math.PI/360),c=new N().fromArray(t.centre);this.camera.up.copy(s),this.camera.position.copy(c).addScaledVector(this.from,a),this.camera.near=a-1.1*o,this.camera.far=a+30*o,this.camera.lookAt(c),this.camera.updateProjectionMatrix()}}class OE{constructor(t){this.canvas=t;const e=document.createElement("div");e.id="lenses",e.setAttribute("aria-hidden","true"),e.append(...this.lenses.map(n=>n.frame)),t.parentElement.append(e)}lenses=Array.from({length:NE},()=>new FE);visible=!0;update(t,e){const n=e.getWorldDirection(new N).negate();this.lenses.forEach((s,r)=>{const o=this.visible?t.regions[r]:void 0;if(s.frame.hidden=o===void 0,!o)return;const a=new N;for(const c of t.patches)c.use===Fs.carries&&c.proxy===o.proxy&&a.add(new N().fromArray(c.normal));s.aim(o,n,a.normalize(),e.up)})}render(t,e){const n=this.canvas.getBoundingClientRect();for(const s of this.lenses){if(s.frame.hidden)continue;const r=s.frame.getBoundingClientRect(),o=[r.left-n.left,n.bottom-r.bottom,r.width,r.height];t.setScissorTest(!0),t.setViewport(...o),t.setScissor(...o),t.render(e,s.camera)}t.setScissorTest(!1),t.setViewport(0,0,n.width,n.height)}}const La=1024,mo=8,BE={[Fs.idle]:6061306,[Fs.chosen]:16429061,[Fs.carries]:16565273},hd=6061306,zE=16731471;class ud{mesh;at=new un(new Float32Array(La*(mo-2)*9),3);colour=new un(new Float32Array(La*(mo-2)*9),3);count=0;constructor(t,e,n){const s=new Dn;s.setAttribute("position",this.at),s.setAttribute("color",this.colour),this.mesh=new _n(s,new Pi({vertexColors:!0,transparent:!0,opacity:t,side:ii,depthWrite:!1,depthTest:!n,polygonOffset:!0,polygonOffsetFactor:-2,polygonOffsetUnits:-2})),this.mesh.frustumCulled=!1,this.mesh.renderOrder=e}begin(){this.count=0}add(t,e){for(let n=2;n<Math.min(t.length/3,mo);++n)for(const s of[0,n-1,n])this.at.setXYZ(this.count,t[3*s],t[3*s+1],t[3*s+2]),this.colour.setXYZ(this.count++,e.r,e.g,e.b)}end(){this.mesh.geometry.setDrawRange(0,this.count),this.at.needsUpdate=this.colour.needsUpdate=!0}}class kE{group=new Gi;points=new Ta(new ks(1,16,12),new Pi({color:15227148,depthTest:!1,transparent:!0}),16);idle=new ud(.14,2,!1);used=new ud(.85,10,!0);rims;boxes=[];box=new Pg(new Or(2,2,2));constructor(){const t=new Dn;t.setAttribute("position",new un(new Float32Array(La*2*mo*3),3)),this.rims=new Uu(t,new Hc({color:hd,transparent:!0,opacity:.45})),this.rims.frustumCulled=!1,this.rims.renderOrder=2,this.points.frustumCulled=!1,this.points.renderOrder=9,this.points.visible=!1,this.group.add(this.idle.mesh,this.used.mesh,this.rims,this.points)}update(t,e,n){this.showPoints(n,e);const s=new ne,r=this.rims.geometry.attributes.position;let o=0;this.idle.begin(),this.used.begin();for(const{corners:a,use:c}of t.slice(0,La)){(c===Fs.idle?this.idle:this.used).add(a,s.setHex(BE[c]));const l=Math.min(a.length/3,mo);for(let f=0;f<l;++f)for(const h of[f,(f+1)%l])r.setXYZ(o++,a[3*h],a[3*h+1],a[3*h+2])}this.idle.end(),this.used.end(),this.rims.geometry.setDrawRange(0,o),r.needsUpdate=!0,this.showRegions(e)}showPoints(t,e){this.points.count=Math.min(16,e.length>0?t.length:0);const n=.03*Math.max(...e[0]?.half??[0]),s=new ye().makeScale(n,n,n);for(let r=0;r<this.points.count;++r)this.points.setMatrixAt(r,s.setPosition(t[r].gripPosition[0],t[r].gripPosition[1],t[r].gripPosition[2]));this.points.instanceMatrix.needsUpdate=!0}showRegions(t){for(;this.boxes.length<t.length;){const e=new Uu(this.box,new Hc({transparent:!0,opacity:.8}));e.frustumCulled=!1,this.boxes.push(e),this.group.add(e)}this.boxes.forEach((e,n)=>{const s=t[n];e.visible=s!==void 0,s&&(e.position.fromArray(s.centre),e.scale.fromArray(s.half),e.material.color.setHex(s.holds?zE:hd))})}}class HE{constructor(t){this.canvas=t,this.hands=new IE(t),this.renderer=new bM({canvas:t,antialias:!this.software,preserveDrawingBuffer:!0}),this.renderer.shadowMap.enabled=!this.software,this.renderer.shadowMap.type=gd,this.sun.castShadow=!0,this.sun.shadow.mapSize.set(2048,2048),this.sun.shadow.normalBias=.02,this.scene.add(this.sun,this.sun.target,this.sky,this.contacts.group,this.hands.group,this.patches.group),this.lenses=new OE(t),this.controls=new aE(this.camera,t),this.controls.enableDamping=!1,this.controls.addEventListener("change",()=>this.needsRender=!0),this.controls.addEventListener("start",()=>this.turned=!0),new ResizeObserver(()=>this.resize()).observe(t.parentElement),this.resize()}renderer;scene=new bg;camera=new On(35,1,.001,100);controls;contacts=new DE;hands;colours=new DM;patches=new kE;lenses;bodies=[];size=.1;sun=new Bg(16777215,2.2);sky=new Ng(16777215,8425632,1.4);framed=!1;turned=!1;reach=new Di;from=new N(0,0,1);newest=null;following=!1;middle=null;nextLook=0;info=null;title="";software=GE();needsRender=!0;setScene(t){for(const e of this.bodies)this.scene.remove(e.group),e.dispose();this.bodies=t.bodies.map((e,n)=>new AE(e,n,this.software));for(const e of this.bodies)this.scene.add(e.group);this.framed=this.framed&&this.title===t.title,this.title=t.title,this.info=t,this.framed&&this.hands.rebuild(t.devices,this.size),this.colours.reset()}show(t,e){for(const n of t.bodies)this.bodies[n.index]?.update(n);this.colours.show(this.bodies,t.colours,performance.now()),this.newest=t,!this.framed&&this.bodies.every(n=>n.seen)&&this.frameAll(),this.framed&&!e&&this.follow(),this.framed&&!e&&performance.now()>this.nextLook&&this.keepInView(),this.contacts.update(t.contacts),this.hands.update(t.hands,this.camera),this.patches.update(t.patches,t.regions,t.hands),this.lenses.update(t,this.camera),this.needsRender=!0}frameAll(){if(!this.newest)return;const{all:t,moving:e}=this.boxes();if(e.isEmpty())return;const n=e.getSize(new N),s=t.getSize(new N).length(),r=n.length()<.2*s,o=e.clone();r?o.expandByScalar(.35*s):o.expandByVector(n.clone().multiplyScalar(.8)),this.reach.copy(e).union(t.intersect(o)),r&&this.reach.getSize(n).multiplyScalar(.3),this.size=Math.max(.001,n.length());const a=this.reach.getCenter(new N),c=this.upward(this.newest,a),l=this.lookAlong(n,c),f=new N().crossVectors(c,l);this.camera.up.copy(c),this.from.copy(l).addScaledVector(f,.45).addScaledVector(c,.4).normalize(),this.fit(),this.placeLights(a,c,f,l,.5*this.reach.getSize(new N).length()),this.contacts.sceneSize=this.size,this.hands.rebuild(this.info?.devices??[],this.size),this.contacts.update(this.newest.contacts),this.hands.update(this.newest.hands,this.camera),this.framed=!0,this.turned=!1}follow(){if(!this.following){this.middle=null;return}const t=this.boxes().moving.getCenter(new N);if(this.middle){const e=t.clone().sub(this.middle);this.camera.position.add(e),this.controls.target.add(e),this.reach.translate(e),this.controls.update()}this.middle=t}keepInView(){if(this.nextLook=performance.now()+300,this.turned)return;const t=this.reach.clone().union(this.boxes().moving),e=4*this.size;if(t.equals(this.reach)||t.getSize(new N).length()>e)return;const n=new N;fd(t).some(r=>(n.copy(r).project(this.camera),Math.max(Math.abs(n.x),Math.abs(n.y))>1))&&(this.reach.copy(t),this.fit())}boxes(){const t=new Di,e=new Di;for(const n of this.bodies)n.box(e),n.info.movable&&n.box(t);t.isEmpty()&&t.copy(e);for(const n of this.newest?.hands??[])t.expandByPoint(new N().fromArray(n.position));return{all:e,moving:t}}fit(){const t=this.reach.getCenter(new N),e=new N().crossVectors(this.camera.up,this.from).normalize(),n=new N().crossVectors(this.from,e),s=.94*Math.tan(this.camera.fov*Math.PI/360);let r=0;for(const o of fd(this.reach)){o.sub(t);const a=Math.max(Math.abs(o.dot(e))/this.camera.aspect,Math.abs(o.dot(n)));r=Math.max(r,o.dot(this.from)+a/s)}this.camera.position.copy(t).addScaledVector(this.from,r),this.camera.near=r/100,this.camera.far=r*20,this.camera.updateProjectionMatrix(),this.controls.target.copy(t),this.controls.update(),this.needsRender=!0}putOn(t,e){const n=this.camera.up.clone().normalize(),s=this.from.clone().addScaledVector(n,-this.from.dot(n)).normalize(),r=new N().crossVectors(n,s),o=e/this.size;this.scene.quaternion.setFromRotationMatrix(new ye().makeBasis(r,n,s)).invert(),this.scene.scale.setScalar(o);const a=this.reach.getCenter(new N).multiplyScalar(o).applyQuaternion(this.scene.quaternion);this.scene.position.copy(t).sub(a),this.scene.updateMatrixWorld(!0),this.sun.castShadow=!1}takeBack(){this.scene.position.setScalar(0),this.scene.quaternion.identity(),this.scene.scale.setScalar(1),this.scene.updateMatrixWorld(!0),this.sun.castShadow=!0,this.resize()}theme(t){this.scene.background=new ne(t?1185308:15659766),this.sky.intensity=t?1.1:1.6,this.needsRender=!0}render(){if(!this.needsRender)return!1;this.needsRender=!1,this.renderer.render(this.scene,this.camera),this.hands.placeLabels(this.camera);const t=[this.hands.group,this.contacts.group].filter(e=>e.visible);for(const e of t)e.visible=!1;this.patches.points.visible=!0,this.lenses.render(this.renderer,this.scene),this.patches.points.visible=!1;for(const e of t)e.visible=!0;return!0}upward(t,e){const n=new N().fromArray(this.info?.gravity??[0,0,-9.81]);if(n.length()>1e-6)return n.negate().normalize();const s=t.hands[0];if(!s)return new N(0,0,1);const r=this.reach.getSize(new N).addScalar(1e-6);return VE(new N().fromArray(s.position).sub(e).divide(r))}lookAlong(t,e){const s=[new N(0,-1,0),new N(1,0,0),new N(0,0,1)].filter(o=>Math.abs(o.dot(e))<.5),r=o=>Math.abs(o.dot(t));return s.reduce((o,a)=>r(a)<.8*r(o)?a:o).clone()}placeLights(t,e,n,s,r){this.sky.position.copy(e),this.sun.position.copy(t).addScaledVector(e,3*r).addScaledVector(n,-1.5*r).addScaledVector(s,2*r),this.sun.target.position.copy(t);const o=this.sun.shadow.camera;o.left=o.bottom=-1.3*r,o.right=o.top=1.3*r,o.near=.1*r,o.far=8*r,o.updateProjectionMatrix(),this.sun.shadow.normalBias=.01*r}resize(){const{clientWidth:t,clientHeight:e}=this.canvas.parentElement;!t||!e||(this.renderer.setPixelRatio(this.software?1:Math.min(2,devicePixelRatio)),this.renderer.setSize(t,e,!1),this.camera.aspect=t/e,this.camera.updateProjectionMatrix(),this.framed&&!this.turned&&this.fit(),this.needsRender=!0)}}const fd=i=>[0,1,2,3,4,5,6,7].map(t=>{const e=(n,s)=>t&n?i.max[s]:i.min[s];return new N(e(1,"x"),e(2,"y"),e(4,"z"))});function VE(i){const t=[Math.abs(i.x),Math.abs(i.y),Math.abs(i.z)],e=t.indexOf(Math.max(...t));return new N().setComponent(e,Math.sign(i.getComponent(e))||1)}function GE(){const i=document.createElement("canvas").getContext("webgl2"),t=i?.getExtension("WEBGL_debug_renderer_info"),e=t?/swiftshader|llvmpipe|software/i.test(String(i.getParameter(t.UNMASKED_RENDERER_WEBGL))):!1;return i?.getExtension("WEBGL_lose_context")?.loseContext(),e}const gn=oe("view"),Ir=oe("status"),Re=new HE(gn),br=new eE,Ka=new Qy(oe("plots")),WE=new VM,Ua=oe("delassus-box"),eh=new BM;let Vs=null,ho=null,gi=null,us=null,Me=null,Nh=!1,ls=!1,nh=0,Ia=0,go=0,_o=.1;function Fh(i){Vs=i,us=null,Re.setScene(i),oi.kinds=i.kinds??[],Nr.setScene(i),br.reset(i.samples),Ka.devices=i.devices,kp.rebuild(i.sliders),fs.setScene(i),_o=.1}function Bp(i){!Vs||i.generation!==Vs.generation||(gi=i,Re.show(i,oi.holding||Me!==null),Ua.open&&WE.show(i.delassus),fs.setFrame(i,Me!==null),oe("patch-legend").hidden=i.patches.length===0,gn.dataset.touching=String(i.contacts.filter(t=>t.touch!==Wi.open).length),gn.dataset.patches=String(i.patches.length),gn.dataset.carriers=String(i.patches.filter(t=>t.use===Fs.carries).length),gn.dataset.regions=String(i.regions.length),oi.see(i.hands),Nr.see(i.hands))}function XE(i){if(!(!Vs||i.generation!==Vs.generation)){if(++Ia,i.samples&&br.append(i.samples),us){const t=new Set(i.bodies.map(e=>e.index));i.bodies.push(...us.bodies.filter(e=>!t.has(e.index)))}us=i}}const ri=new LM({message(i){eh.add(i);const t=Xd(i);t==="SCEN"&&(ho=i),!Me&&(t==="SCEN"?Fh(xh(i)):t==="FRAM"&&XE(Yd(i)))},notice(i,t){i==="sliders"?kp.update(t.values??[]):Ao(t.text??"",i!=="trouble")},state(i){if(!(Nh||Me)){if(Ir.dataset.state=i?"live":"lost",Ir.textContent=i?"live":"connection lost, trying again…",!i){oi.holding=!1,Nr.lose();return}Ua.open&&ri.send({cmd:"delassus",on:!0}),Re.colours.quantity!=="none"&&ri.send({cmd:"colour",of:Re.colours.quantity})}}}),oi=new Kd(ri,i=>{gn.dataset.holding=String(i),document.body.classList.toggle("holding",i),oe("hint").hidden=!0});setTimeout(()=>oe("hint").hidden=!0,2e4);new tE(Re,oi,gn);const zp=new KM(Re,oi,gn),Nr=new qM(Re,ri,oe("vr"),i=>Xp(i)),kp=new nE(oe("sliders"),(i,t)=>ri.send({cmd:"slider",index:i,value:t})),Hp=i=>Re.colours.reset(i.largest(vh.indexOf(Re.colours.quantity)));function bo(i){if(!Me)return;const t=Me.scene;Me.at=i,(Me.scene!==t||Vs!==Me.scene)&&(Fh(Me.scene),Hp(Me)),br.reset(Me.scene.samples);for(const e of Me.samples(10))br.append(e);Bp(Me.frame()),Ka.drawAll(br),fs.showTimeline(Me)}function Vp(i){Me=i,us=null,oi.enabled=!1,ls=!1,fs.showPlaying(!1),Ir.textContent="recording",Ir.dataset.state="recording",oe("hint").hidden=!0,Ao(""),Vs=null;const{contact:t,hand:e}=i.strongest();Re.contacts.strongest=t;for(let n=10;n>=0;--n)bo(Math.round(n/10*(i.length-1))),Re.keepInView();Re.hands.strongest=Math.max(1,e),bo(0)}const Gp=i=>{Nh||ri.send(i)},fs=new kM({send:i=>ri.send(i),playPause(){Me?(ls=!ls,ls&&Me.at===Me.length-1&&bo(0),nh=Me.time,fs.showPlaying(ls)):ri.send({cmd:gi?.playing?"pause":"play"})},startRecording(){ho&&(eh.start(ho),ri.send({cmd:"keyframe"}))},openRecording:Vp,closeRecording(){Me=null,oi.enabled=!0,Re.contacts.strongest=0,fs.showTimeline(null),ho&&Fh(xh(ho)),Ir.dataset.state=ri.connected?"live":"lost",ri.send({cmd:"keyframe"})},seek(i){ls=!1,fs.showPlaying(!1),bo(i)},centre:()=>Re.frameAll(),colour(i){Re.colours.quantity=i,Gp({cmd:"colour",of:i}),Me&&Hp(Me),gi&&Re.show({...gi,bodies:[]},!0)},follow:i=>Re.following=i,layer(i,t){if(i==="contacts"&&(Re.contacts.group.visible=t),i==="cones"&&(Re.contacts.showCones=t),i==="patches"&&(Re.patches.group.visible=Re.lenses.visible=t),i==="hands"&&(Re.hands.group.visible=t),i==="wireframe")for(const e of Re.bodies)e.wireframe=t;gi&&Re.show({...gi,bodies:[]},oi.holding)}},eh,Re);Ua.addEventListener("toggle",()=>Gp({cmd:"delassus",on:Ua.open}));rE(oe("theme"),i=>{Re.theme(i),Ka.restyle()});let dd=0,Jl=0,pd=0;function Wp(i){requestAnimationFrame(Wp),Nr.presenting||Xp(i)}function Xp(i){if(zp.apply(i),oi.send(i),Me&&ls&&(nh+=(i-pd)/1e3,Me.advanceTo(nh)&&bo(Me.at),Me.at===Me.length-1&&(ls=!1,fs.showPlaying(!1))),pd=i,us){const t=us;us=null,Bp(t)}Nr.presenting?(Nr.render(i,_o),++go):Re.render()&&++go,i-dd>60&&(dd=i,Me||Ka.draw(br),YE()),i-Jl>500&&(qE((i-Jl)/1e3),Ia=go=0,Jl=i)}function YE(){const i=oi.hand;if(!i)return;for(const n of oi.hands)_o=Math.max(_o,Math.hypot(n.force[0],n.force[1],n.force[2]));const t=Math.hypot(i.force[0],i.force[1],i.force[2]);i.taken&&!Me&&zp.rumble(t,_o);const e=new N().fromArray(i.position).project(Re.camera);gn.dataset.toolX=(.5*(e.x+1)*gn.clientWidth).toFixed(1),gn.dataset.toolY=(.5*(1-e.y)*gn.clientHeight).toFixed(1)}function qE(i){if(!gi||(gn.dataset.frames=String(Number(gn.dataset.frames??0)+Ia),gn.dataset.pictures=String(Number(gn.dataset.pictures??0)+go),gn.dataset.step=String(gi.step),Me||!ri.connected))return;const t=gi.playing?`${gi.rate.toFixed(2)} × real time`:"paused";Ir.textContent=`${gi.time.toFixed(2)} s · ${t} · ${(Ia/i).toFixed(0)} states/s, ${(go/i).toFixed(0)} drawn/s`}async function KE(){if((await fetch("mode"+Wc).then(e=>e.json())).live)return;Nh=!0;const t=await fetch("recording"+Wc).then(e=>e.arrayBuffer());Vp(za.open(t)),oe("live").hidden=!0}requestAnimationFrame(Wp);KE().catch(i=>Ao(String(i)));
