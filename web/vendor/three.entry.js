/* What the viewer takes of three.js; build-aux/vendor.sh makes three.min.js of it. */
export {
    WebGLRenderer, Scene, PerspectiveCamera, OrthographicCamera, Vector2, Vector3, Quaternion, Matrix3, Matrix4, Color,
    Euler, Box3, Sphere, Plane, Ray, Raycaster, Object3D, Group, Mesh, InstancedMesh, BufferGeometry,
    BufferAttribute, InstancedBufferAttribute, InstancedBufferGeometry, Float32BufferAttribute,
    SphereGeometry, BoxGeometry, CylinderGeometry, ConeGeometry, CapsuleGeometry, PlaneGeometry,
    IcosahedronGeometry, CircleGeometry, EdgesGeometry, WireframeGeometry, LineSegments, Line, Points,
    LineBasicMaterial, LineDashedMaterial, PointsMaterial,
    MeshBasicMaterial, MeshLambertMaterial, MeshStandardMaterial, MeshPhongMaterial, MeshDepthMaterial, ShadowMaterial, ShaderMaterial,
    DirectionalLight, HemisphereLight, AmbientLight, GridHelper, AxesHelper, ArrowHelper,
    PCFShadowMap, PCFSoftShadowMap, VSMShadowMap, NoToneMapping, CustomBlending, OneFactor, ZeroFactor, SRGBColorSpace, DoubleSide, FrontSide, BackSide,
    DynamicDrawUsage, StaticDrawUsage, CanvasTexture, DataTexture, RGBAFormat, FloatType, Texture, Sprite, SpriteMaterial, Clock, MathUtils, TubeGeometry, CatmullRomCurve3, TorusGeometry, RingGeometry, LatheGeometry
} from 'three';
export { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
export { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
